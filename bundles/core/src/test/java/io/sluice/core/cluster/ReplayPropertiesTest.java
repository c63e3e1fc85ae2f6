package io.sluice.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.store.StoreLog;
import io.sluice.runtime.State;
import io.sluice.spi.allocation.AllocationStrategy;
import io.sluice.spi.allocation.Unit;
import io.sluice.spi.allocation.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Whoever replays what is left of a log comes to the state of those who have followed it all along. */
class ReplayPropertiesTest {

    private static final class World {
        private final Random random;
        private final ClusterState live = new ClusterState();
        /** Those who joined later, and follow since. */
        private final List<ClusterState> joined = new ArrayList<>();
        private final Peers peers = new Peers(Rules.ALL);
        private final List<LogEntry> underWay = new ArrayList<>();
        /** What a compacted log holds. */
        private final Map<String, byte[]> log = new LinkedHashMap<>();
        private final List<MemberId> workers = new ArrayList<>();
        private final Map<String, Wanted> connectors = new HashMap<>();
        private int number;

        private World(long seed) {
            random = new Random(seed);
        }

        private void land(LogEntry entry) {
            StoreLog.Entry written = EntryCodec.encode(entry);
            log.remove(written.key());
            if (written.value() != null) {
                log.put(written.key(), written.value());
            }
            LogEntry read = EntryCodec.decode(written.key(), written.value());
            live.apply(read);
            joined.forEach(follower -> follower.apply(read));
            peers.read(entry, 0);
        }

        private void step() {
            number++;
            switch (random.nextInt(10)) {
                case 0 -> {
                    workers.add(new MemberId("w" + random.nextInt(4), "i" + number));
                    underWay.add(new LogEntry.Announced(new Announcement(workers.get(workers.size() - 1), Announcement.Phase.ACTIVE, "", Set.of(), 6_000, number, "")));
                }
                case 1 -> worker().ifPresent(worker -> underWay.add(beat(worker)));
                case 2 -> worker().ifPresent(worker -> {
                    if (random.nextInt(3) == 0) {
                        peers.provedGone(worker, "gone");
                    } else {
                        underWay.add(new LogEntry.Expel(worker, number, workers.get(0), "t" + number));
                    }
                });
                case 3, 4 -> propose();
                case 5 -> release();
                case 6 -> {
                    String name = "c" + random.nextInt(4);
                    if (random.nextInt(4) == 0) {
                        connectors.remove(name);
                    } else {
                        connectors.put(name, new Wanted(List.of(), random.nextInt(5) > 0));
                        underWay.add(new LogEntry.TaskConfigs(name, live.assignment().generation() + random.nextInt(3), number,
                            Collections.nCopies(random.nextInt(4), Map.of("n", "" + number))));
                    }
                }
                case 7 -> live.needless().stream().filter(key -> random.nextBoolean()).toList().forEach(key -> underWay.add(new LogEntry.Removed(key)));
                case 8 -> underWay.add(new LogEntry.Report(Unit.task("c" + random.nextInt(4), 0), State.RUNNING, "", number, new MemberId("w", "i"), Map.of()));
                default -> repeat();
            }
            while (underWay.size() > 8 || !underWay.isEmpty() && random.nextInt(3) > 0) {
                // Late, in any order, and sometimes twice.
                LogEntry entry = underWay.get(random.nextInt(underWay.size()));
                land(entry);
                if (random.nextInt(5) > 0) {
                    underWay.remove(entry);
                }
            }
        }

        private Optional<MemberId> worker() {
            return workers.isEmpty() ? Optional.empty() : Optional.of(workers.get(random.nextInt(workers.size())));
        }

        private LogEntry beat(MemberId worker) {
            boolean member = live.assignment().isMember(worker);
            return new LogEntry.Beat(worker, number, member ? live.assignment().generation() : 0, member ? live.assignment().key() : "");
        }

        private void propose() {
            List<Announcement> candidates = live.announcements().stream().filter(one -> peers.gone(one.member()).isEmpty() && random.nextInt(3) > 0
                && !live.assignment().members().containsKey(one.member().id())).collect(Collectors.toMap(one -> one.member().id(), one -> one,
                    (one, other) -> one)).values().stream().toList();
            AllocationStrategy anything = (Workload workload) -> {
                Map<Unit, String> result = new HashMap<>();
                List<String> ids = List.copyOf(workload.workers());
                workload.units().forEach(unit -> {
                    if (!ids.isEmpty() && random.nextInt(4) > 0) {
                        result.put(unit, ids.get(random.nextInt(ids.size())));
                    }
                });
                return result;
            };
            new Proposal(live, new Event.Definitions(number, connectors), peers, candidates, Rules.ALL)
                .work(anything, LogEntry.ASSIGNMENT + (live.assignment().generation() + 1) + "#" + number, new MemberId("w0", "p"))
                .ifPresent(assignment -> underWay.add(new LogEntry.Assigned(assignment)));
        }

        private void release() {
            live.assignment().units().forEach((unit, placement) -> live.owner(unit)
                .filter(owner -> !placement.isLast(owner) && random.nextBoolean()).ifPresent(owner -> underWay.add(new LogEntry.Released(unit, owner.epoch()))));
        }

        /** The log writes an entry again, unchanged, to keep it from being dropped by age. */
        private void repeat() {
            if (!log.isEmpty()) {
                String key = List.copyOf(log.keySet()).get(random.nextInt(log.size()));
                land(EntryCodec.decode(key, log.get(key)));
            }
        }

        private void join() {
            ClusterState state = new ClusterState();
            log.forEach((key, value) -> state.apply(EntryCodec.decode(key, value)));
            joined.add(state);
        }
    }

    @Property(tries = 200)
    void stateFromACompactedLogIsTheLiveOneAndStaysSo(@ForAll long seed) {
        World world = new World(seed);
        for (int step = 0; step < 100; step++) {
            if (step % 20 == 10) {
                world.join();
            }
            world.step();
        }
        world.join();
        MemberId member = new MemberId("w0", "member");
        world.land(new LogEntry.Beat(member, 1, world.live.assignment().generation(), world.live.assignment().key()));

        assertThat(world.joined).allSatisfy(state -> assertThat(state.content()).isEqualTo(world.live.content()));
        assertThat(world.live.assignment().generation()).isPositive();
    }
}
