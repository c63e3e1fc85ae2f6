package io.sluice.core.cluster;

import io.sluice.core.cluster.Announcement.Phase;
import io.sluice.core.cluster.Assignment.Seat;
import io.sluice.spi.allocation.AllocationStrategy;
import io.sluice.spi.allocation.Unit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One worker's part in the cluster: is told what happens, answers what is to be done. No I/O, no threads, no clock of its own; every call
 * brings the local monotonic time in milliseconds. One thread.
 */
public final class Member {

    /** Where a worker stands. */
    public enum Standing {
        /** The log is being replayed. */
        REPLAYING,
        /** It has announced itself and waits to be admitted. */
        JOINING,
        /** It belongs to the cluster. */
        MEMBER,
        /** It was refused, and does nothing more. */
        REFUSED,
        /** It has left, and does nothing more. */
        LEFT
    }

    private final Settings settings;
    private final Supplier<String> incarnations;
    private final Rules rules;
    private final ClusterState state;
    private final Outbox out = new Outbox();
    private final Peers peers;
    private final UnitRuns runs;
    private final Leadership leadership;
    private final Map<Plugin, Long> lostPlugins = new HashMap<>();
    private final Map<String, Computed> computed = new HashMap<>();
    private Set<Plugin> plugins = Set.of();
    private Standing standing = Standing.REPLAYING;
    private MemberId me;
    private String succeeds;
    private Lease lease;
    private Announcement sent;
    private long sentAt;
    private boolean connected;
    private boolean leaving;
    private boolean finished;
    private boolean gateOpen;
    private boolean suspended;
    private long lapsedAt;
    /** Since when it is open which assignment counts; -1 if it is not. */
    private long openSince = -1;
    private String unreadable = "";

    /** Task configurations that this worker computed, and when they were written. */
    private record Computed(LogEntry.TaskConfigs configs, long at) { }

    /**
     * @param incarnations gives a new one with each call
     * @param strategy the one to begin with
     */
    public Member(Settings settings, Supplier<String> incarnations, AllocationStrategy strategy) {
        this(settings, incarnations, strategy, Rules.ALL);
    }

    Member(Settings settings, Supplier<String> incarnations, AllocationStrategy strategy, Rules rules) {
        this.settings = settings;
        this.incarnations = incarnations;
        this.rules = rules;
        this.state = new ClusterState(rules);
        this.peers = new Peers(rules);
        this.runs = new UnitRuns(state, out, rules);
        this.leadership = new Leadership(state, peers, out, settings, strategy, rules);
        this.succeeds = settings.succeeds();
        this.me = new MemberId(settings.id(), incarnations.get());
    }

    /** What the log says, as far as it was applied. To be read on the member's thread. */
    public ClusterState state() {
        return state;
    }

    /** Who this worker is now. */
    public MemberId id() {
        return me;
    }

    public Standing standing() {
        return standing;
    }

    /** True if this worker proposes assignments. */
    public boolean leads() {
        return leadership.leads();
    }

    /** Who leads, as far as this worker can tell. */
    public Optional<MemberId> leader(long now) {
        return leadership.leader(now);
    }

    /** Uses another strategy from now on. */
    public List<Action> strategy(long now, AllocationStrategy strategy) {
        leadership.strategy(strategy, now);
        return finish(now);
    }

    /**
     * Takes an event.
     *
     * @param now the local monotonic time in milliseconds; never less than before
     * @return what is to be done, in this order
     */
    public List<Action> handle(long now, Event event) {
        if (standing == Standing.REFUSED || standing == Standing.LEFT) {
            return List.of();
        }
        if (event instanceof Event.Applied applied) {
            apply(now, applied.entry());
        } else if (event instanceof Event.Tick) {
            runs.retry(settings.retryMs(), now);
        } else if (event instanceof Event.Connected) {
            connect(now);
        } else if (event instanceof Event.Disconnected) {
            connected = false;
        } else if (event instanceof Event.ProvedDead proved) {
            if (!proved.member().equals(me)) {
                peers.provedGone(proved.member(), proved.why());
            }
        } else if (event instanceof Event.Definitions definitions) {
            leadership.definitions(definitions, now);
        } else if (event instanceof Event.Plugins has) {
            plugins.stream().filter(plugin -> !has.plugins().contains(plugin)).forEach(plugin -> lostPlugins.put(plugin, now));
            plugins = has.plugins();
        } else if (event instanceof Event.UnitStopped stopped) {
            tellRuns(now);
            runs.stopped(stopped.unit(), stopped.epoch(), now);
        } else if (event instanceof Event.TasksComputed tasks) {
            computed.put(tasks.connector(), new Computed(new LogEntry.TaskConfigs(tasks.connector(), tasks.epoch(), tasks.revision(), tasks.configs()),
                now - settings.retryMs()));
        } else if (event instanceof Event.StopRequested) {
            leaving = true;
        }
        return finish(now);
    }

    /** What is due whatever the event was. */
    private List<Action> finish(long now) {
        if (standing == Standing.JOINING || standing == Standing.MEMBER) {
            watchGate(now);
            if (connected) {
                announce(now);
                lease.due(Optional.of(state.assignment()).filter(known -> standing == Standing.MEMBER), now).ifPresent(out::append);
                writeTasks(now);
                leadership.step(me, lease.isGood(now) && !finished && !isOpen(now), now);
            }
        }
        return out.drain();
    }

    private void connect(long now) {
        connected = true;
        peers.listenAnew(now);
        if (standing == Standing.REPLAYING) {
            if (unreadable.isEmpty()) {
                standing = Standing.JOINING;
                lease = new Lease(me, settings, rules, now);
                openSince = state.isAmbiguous() ? now : -1;
            } else {
                refuse(unreadable);
            }
        }
    }

    /** True if the replay left open which assignment counts. When all members had the time to tell and none did, none is left. */
    private boolean isOpen(long now) {
        if (openSince >= 0 && (!state.isAmbiguous() || now - openSince > settings.leaseMs() + Settings.marginMs(settings.leaseMs()))) {
            openSince = -1;
        }
        return openSince >= 0;
    }

    private void apply(long now, LogEntry entry) {
        Optional<LogEntry.TaskConfigs> tasksBefore = entry instanceof LogEntry.TaskConfigs tasks ? state.tasks(tasks.connector()) : Optional.empty();
        boolean accepted = state.apply(entry);
        peers.read(entry, now);
        if (entry instanceof LogEntry.Unreadable wrong) {
            unreadable(wrong);
        } else if (standing == Standing.REPLAYING) {
            return;
        } else if (entry instanceof LogEntry.Beat beat) {
            beat(now, beat);
            if (accepted) {
                assigned(now);
            }
        } else if (entry instanceof LogEntry.Probe) {
            lease.read(entry, now);
        } else if (entry instanceof LogEntry.Released released) {
            released(now, released.unit());
        } else if (entry instanceof LogEntry.Assigned proposal) {
            leadership.read(proposal.assignment(), accepted, now);
            if (accepted) {
                assigned(now);
            }
        } else if (entry instanceof LogEntry.Announced) {
            leadership.changed(now);
            leaveIfDone(now);
        } else if (entry instanceof LogEntry.Expel expel) {
            expel(now, expel);
        } else if (entry instanceof LogEntry.TaskConfigs tasks) {
            Optional<LogEntry.TaskConfigs> tasksNow = state.tasks(tasks.connector());
            if (!tasksNow.map(LogEntry.TaskConfigs::configs).equals(tasksBefore.map(LogEntry.TaskConfigs::configs))) {
                out.act(new Action.TasksChanged(tasks.connector()));
                leadership.changed(now);
            }
        }
    }

    private void unreadable(LogEntry.Unreadable entry) {
        if (!entry.decides()) {
            out.act(new Action.Problem(entry.why()));
        } else if (standing == Standing.REPLAYING) {
            unreadable = entry.why();
        } else {
            closeGate(true, entry.why());
            runs.stopAll();
            refuse(entry.why());
        }
    }

    private void refuse(String why) {
        standing = Standing.REFUSED;
        state.keysOf(me).forEach(key -> out.append(new LogEntry.Removed(key)));
        out.act(new Action.Refused(why));
    }

    private void beat(long now, LogEntry.Beat beat) {
        if (beat.member().equals(me)) {
            boolean wasGood = lease.isGood(now);
            if (lease.read(beat, now)) {
                if (!wasGood) {
                    // What others wrote meanwhile could not be read, or only late.
                    peers.listenAnew(now);
                }
                openGate(now);
            }
        } else if (beat.member().id().equals(me.id()) && standing == Standing.JOINING && peers.gone(beat.member()).isEmpty()) {
            refuseIfSecond(beat.member());
        }
    }

    private void refuseIfSecond(MemberId other) {
        if (state.announcement(me).isEmpty()) {
            return;
        }
        boolean first = state.assignment().isMember(other);
        if (!first && state.announcement(other).isPresent()) {
            first = state.announcements().stream().map(Announcement::member).filter(one -> one.equals(me) || one.equals(other)).findFirst().get().equals(other);
        }
        if (first) {
            refuse("another worker runs under worker.id '" + me.id() + "' (incarnation " + other.incarnation()
                + state.announcement(other).map(one -> one.restUrl().isEmpty() ? "" : ", at " + one.restUrl()).orElse("")
                + "); give each worker of the cluster its own worker.id");
        }
    }

    private void released(long now, Unit unit) {
        Placement placement = state.assignment().placement(unit);
        if (placement == null) {
            return;
        }
        Hold owner = state.owner(unit, placement);
        if (owner == null) {
            if (!placement.isVacant()) {
                leadership.changed(now);
            }
        } else if (owner.member().equals(me)) {
            tellRuns(now);
            runs.reconcile(unit, now);
        }
    }

    private void assigned(long now) {
        if (state.assignment().isMember(me)) {
            if (standing == Standing.JOINING) {
                standing = Standing.MEMBER;
                out.act(new Action.Joined(me, state.assignment().generation()));
                openGate(now);
            }
            tellRuns(now);
            runs.reconcileAll(now);
        } else if (standing == Standing.MEMBER) {
            expelled(now, state.assignment().dropped().getOrDefault(me, "it is no member any more"));
        }
    }

    private void expel(long now, LogEntry.Expel expel) {
        if (peers.readExpel(expel, state, now)) {
            out.append(new LogEntry.Removed(expel.key()));
        } else if (expel.member().equals(me) && state.lastBeat(me) == expel.beat() && rules.on(Rules.Rule.EXPELLED_STOPS)) {
            expelled(now, expel.by() + " has not heard of it for longer than its lease");
        }
    }

    private void expelled(long now, String why) {
        MemberId old = me;
        closeGate(true, "expelled: " + why);
        out.act(new Action.Expelled(old, why));
        runs.stopAll();
        if (leaving) {
            standing = Standing.LEFT;
            out.act(new Action.Left());
            return;
        }
        me = new MemberId(settings.id(), incarnations.get());
        peers.provedGone(old, "it was expelled: " + why);
        succeeds = old.incarnation();
        standing = Standing.JOINING;
        lease = new Lease(me, settings, rules, now);
        sent = null;
        computed.clear();
        suspended = false;
    }

    private void openGate(long now) {
        if (standing == Standing.MEMBER && (lease.isGood(now) || !rules.on(Rules.Rule.GATE_FOLLOWS_LEASE))) {
            boolean wasOpen = gateOpen;
            gateOpen = true;
            suspended = false;
            out.act(new Action.OpenGate(me.incarnation(), rules.on(Rules.Rule.GATE_FOLLOWS_LEASE) ? lease.until() : Long.MAX_VALUE));
            if (!wasOpen) {
                tellRuns(now);
                runs.reconcileAll(now);
            }
        }
    }

    private void closeGate(boolean forGood, String why) {
        gateOpen = false;
        out.act(new Action.CloseGate(me.incarnation(), forGood, why));
    }

    private void watchGate(long now) {
        if (standing != Standing.MEMBER || !rules.on(Rules.Rule.GATE_FOLLOWS_LEASE)) {
            return;
        }
        if (gateOpen && !lease.isGood(now)) {
            lapsedAt = lease.until();
            closeGate(false, "the lease ran out: no beat of this worker came back from the log for " + settings.leaseMs() + " ms");
        }
        if (!gateOpen && !suspended && !lease.isGood(now) && now - lapsedAt >= settings.graceMs()) {
            suspended = true;
            runs.stopAll();
        }
    }

    private void tellRuns(long now) {
        runs.now(me, standing == Standing.MEMBER, gateOpen && lease.isGood(now) && !suspended && !finished);
    }

    private void announce(long now) {
        lostPlugins.values().removeIf(at -> now - at >= settings.pluginLossMs());
        Set<Plugin> shown = new HashSet<>(plugins);
        shown.addAll(lostPlugins.keySet());
        tellRuns(now);
        if (leaving && !finished && (standing == Standing.JOINING || runs.isEmpty() && !runs.holdsAny() && saidLeaving())) {
            finished = true;
        }
        Phase phase = finished ? Phase.LEFT : leaving ? Phase.LEAVING : Phase.ACTIVE;
        Announcement wanted = new Announcement(me, phase, settings.restUrl(), shown, settings.leaseMs(), settings.startedAt(), succeeds);
        boolean known = state.announcement(me).filter(wanted::equals).isPresent();
        if (!known && (!wanted.equals(sent) || now - sentAt >= settings.retryMs())) {
            sent = wanted;
            sentAt = now;
            out.append(new LogEntry.Announced(wanted));
        }
    }

    private boolean saidLeaving() {
        return state.announcement(me).filter(said -> said.phase() == Phase.LEAVING).isPresent();
    }

    private void leaveIfDone(long now) {
        if (finished && state.announcement(me).filter(said -> said.phase() == Phase.LEFT).isPresent()) {
            closeGate(true, "the worker has left");
            standing = Standing.LEFT;
            out.act(new Action.Left());
        }
    }

    private void writeTasks(long now) {
        computed.values().removeIf(one -> {
            LogEntry.TaskConfigs configs = one.configs();
            Optional<Hold> owner = state.owner(Unit.connector(configs.connector()));
            return owner.filter(hold -> hold.member().equals(me) && hold.epoch() == configs.epoch()).isEmpty()
                || state.tasks(configs.connector()).filter(configs::equals).isPresent();
        });
        computed.replaceAll((connector, one) -> {
            if (now - one.at() < settings.retryMs()) {
                return one;
            }
            out.append(one.configs());
            return new Computed(one.configs(), now);
        });
    }

    /** The members, for those who show them. */
    public List<Seat> members() {
        return List.copyOf(state.assignment().members().values());
    }
}
