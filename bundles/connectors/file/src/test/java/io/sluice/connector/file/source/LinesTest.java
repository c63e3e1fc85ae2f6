package io.sluice.connector.file.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.errors.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LinesTest {

    @TempDir
    Path directory;
    private Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve("text");
    }

    private void append(String text) throws Exception {
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void describesEachLineByAnOffsetThatPointsBehindIt() throws Exception {
        append("one\n\ndrei\u00df\n");
        try (SourceRun run = new SourceRun("file", file).start()) {
            run.pollAll(3);
            ConnectRecord last = run.records.get(2);
            assertThat(last.getData()).isEqualTo("drei\u00df");
            assertThat(last.getSchema().getFieldType()).isEqualTo(FieldType.STRING);
            assertThat(last.getKey()).isNull();
            assertThat(last.getTimestamp()).isCloseTo(System.currentTimeMillis(), org.assertj.core.api.Assertions.within(60_000L));
            assertThat(last.getPosition().getPartition().getPartition()).hasToString("{file=" + file + "}");
            Map<String, ?> offset = last.getPosition().getOffset().getOffset();
            assertThat(offset.keySet()).hasToString("[position, line, fileKey, fingerprint]");
            assertThat(offset.get("position")).isEqualTo(12L);
            assertThat(offset.get("line")).isEqualTo(3L);
            assertThat(run.records).extracting(record -> record.getPosition().getPartition()).allMatch(p -> p == last.getPosition().getPartition());
        }
    }

    @Test
    void makesStructsAndKeysWhenAsked() throws Exception {
        append("one\ntwo\n");
        try (SourceRun run = new SourceRun("file", file, "format", "struct", "key", "file").start()) {
            run.pollAll(2);
            Struct value = (Struct) run.records.get(1).getData();
            value.validate();
            assertThat(value.getString("file")).isEqualTo(file.toString());
            assertThat(value.getInt64("line")).isEqualTo(2);
            assertThat(value.getInt64("offset")).isEqualTo(4);
            assertThat(value.getString("text")).isEqualTo("two");
            assertThat(run.records.get(1).getKey()).isEqualTo("text");
        }
        try (SourceRun run = new SourceRun("file", file, "key", "path").start()) {
            assertThat(run.pollAll(2).records).extracting(ConnectRecord::getKey).containsOnly(file.toString());
        }
    }

    @Test
    void waitsForTheLineEndOfTheLastLine() throws Exception {
        append("one\ntw");
        try (SourceRun run = new SourceRun("file", file).start()) {
            assertThat(run.pollAll(1).lines()).containsExactly("one");
            append("o\n");
            assertThat(run.pollAll(2).lines()).containsExactly("one", "two");
        }
    }

    @Test
    void emitsAnUnfinishedLastLineAfterItsTimeout() throws Exception {
        append("one\ntwo");
        try (SourceRun run = new SourceRun("file", file, "last.line.timeout.ms", 30)) {
            assertThat(run.start().pollAll(2).lines()).containsExactly("one", "two");
            run.stop();
            append("\nthree\nfo\u00df".substring(0, 10));
            run.start().pollAll(4);
            assertThat(run.lines()).as("the line end alone is no line").containsExactly("one", "two", "three", "fo\u00df");
            append(" more\n");
            assertThat(run.pollAll(5).lines()).endsWith("fo\u00df", " more");
        }
    }

    @Test
    void keepsHalfACharacterBackWhenTheTimeoutComes() throws Exception {
        Files.write(file, new byte[] {'a', (byte) 0xC3});
        try (SourceRun run = new SourceRun("file", file, "last.line.timeout.ms", 30).start()) {
            assertThat(run.pollAll(1).lines()).containsExactly("a");
            Files.write(file, new byte[] {(byte) 0x9F, '\n'}, StandardOpenOption.APPEND);
            assertThat(run.pollAll(2).lines()).containsExactly("a", "\u00df");
        }
    }

    @Test
    void startsAtTheEndOfTheLastWholeLineWhenAsked() throws Exception {
        append("old\nolder\nnot yet");
        Path wide = directory.resolve("wide");
        Files.write(wide, ("alt\n" + "\u0a00\u0d00".repeat(50_000) + "\nneu").getBytes(UTF_16LE));
        try (SourceRun run = new SourceRun("file", file, "start.from", "end").start();
             SourceRun wideRun = new SourceRun("file", wide, "start.from", "end", "charset", "UTF-16LE").start()) {
            run.pollIdle();
            append(" complete\nnew\n");
            assertThat(run.pollAll(2).lines()).containsExactly("not yet complete", "new");
            Files.write(wide, "er\n".getBytes(UTF_16LE), StandardOpenOption.APPEND);
            assertThat(wideRun.pollAll(1).lines()).containsExactly("neuer");
        }
    }

    @Test
    void readsAFileThatComesLaterFromItsBeginning() throws Exception {
        try (SourceRun run = new SourceRun("file", file, "start.from", "end").start()) {
            run.pollIdle();
            append("one\n");
            assertThat(run.pollAll(1).lines()).containsExactly("one");
        }
    }

    @Test
    void readsALineOfAHundredMegabytes() throws Exception {
        String unit = "0123456789abcde\u00e4";
        String line = unit.repeat(100_000_000 / 16);
        append("before\n" + line + "\nafter\n");
        try (SourceRun run = new SourceRun("file", file, "line.max.bytes", 150_000_000).start()) {
            run.pollAll(3);
            assertThat(run.records).hasSize(3);
            assertThat(line.equals(run.records.get(1).getData())).isTrue();
            assertThat(run.lines().get(2)).isEqualTo("after");
        }
    }

    @Test
    void failsAtALineThatIsTooLongAfterDeliveringThoseBefore() throws Exception {
        append("one\n" + "x".repeat(101) + "\nthree\n");
        try (SourceRun run = new SourceRun("file", file, "line.max.bytes", 100)) {
            run.start().poll();
            assertThat(run.lines()).containsExactly("one");
            assertThatThrownBy(run::poll).isInstanceOf(ConnectException.class)
                .hasMessage(file + ", line 2, byte 4 of the file is longer than 'line.max.bytes' = 100; raise it (to at most 1073741824), "
                    + "or set 'line.too.long' to split or truncate");
            run.stop();
            assertThatThrownBy(() -> run.start().poll()).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void acceptsALineOfExactlyTheGreatestLength() throws Exception {
        append("x".repeat(100) + "\r\n" + "y".repeat(100) + "\nthree\n");
        for (String policy : new String[] {"fail", "split", "truncate"}) {
            try (SourceRun run = new SourceRun("file", file, "line.max.bytes", 100, "line.too.long", policy).start()) {
                assertThat(run.pollAll(3).lines()).as(policy).containsExactly("x".repeat(100), "y".repeat(100), "three");
            }
        }
    }

    @Test
    void truncatesALineThatIsTooLongAtACharacter() throws Exception {
        String longLine = "\u00e4".repeat(700_000);
        append("one\n" + longLine + "\nthree\n" + "z".repeat(400_000));
        try (SourceRun run = new SourceRun("file", file, "line.max.bytes", 101, "line.too.long", "truncate")) {
            run.start().pollAll(3);
            assertThat(run.lines()).containsExactly("one", "\u00e4".repeat(50), "three");
            run.stop();
            run.start();
            append("z\nfive\n");
            assertThat(run.pollAll(5).lines()).containsExactly("one", "\u00e4".repeat(50), "three", "z".repeat(101), "five");
            assertThat(run.records.get(4).getPosition().getOffset().getOffset().get("position")).isEqualTo(Files.size(file));
        }
    }

    @Test
    void tellsAllKindsOfLineEndsApart() throws Exception {
        append("a\rb\r\nc\nd\n\re\r\r\nf\n");
        Map<String, String[]> expected = Map.of(
            "auto", new String[] {"a\rb", "c", "d", "\re\r", "f"},
            "lf", new String[] {"a\rb\r", "c", "d", "\re\r\r", "f"},
            "crlf", new String[] {"a\rb", "c\nd\n\re\r"},
            "cr", new String[] {"a", "b", "\nc\nd\n", "e", ""},
            "any", new String[] {"a", "b", "c", "d", "", "e", "", "f"});
        for (var entry : expected.entrySet()) {
            try (SourceRun run = new SourceRun("file", file, "line.end", entry.getKey()).start()) {
                assertThat(run.pollAll(entry.getValue().length).lines()).as(entry.getKey()).containsExactly(entry.getValue());
            }
        }
    }

    @Test
    void emitsALineAtALoneCarriageReturnWithoutWaitingForMore() throws Exception {
        append("one\r");
        try (SourceRun run = new SourceRun("file", file, "line.end", "any")) {
            assertThat(run.start().pollAll(1).lines()).containsExactly("one");
            run.stop();
            append("\ntwo\r");
            assertThat(run.start().pollAll(2).lines()).containsExactly("one", "two");
            append("\nthree\n");
            assertThat(run.pollAll(3).lines()).containsExactly("one", "two", "three");
        }
    }

    @Test
    void replacesOrRefusesBytesThatAreNoText() throws Exception {
        Files.write(file, "gut\nsch\u00f6n\nok\n".getBytes(ISO_8859_1));
        try (SourceRun run = new SourceRun("file", file).start()) {
            assertThat(run.pollAll(3).lines()).containsExactly("gut", "sch\ufffdn", "ok");
        }
        try (SourceRun run = new SourceRun("file", file, "malformed.input", "fail").start()) {
            run.poll();
            assertThat(run.lines()).containsExactly("gut");
            assertThatThrownBy(run::poll).isInstanceOf(ConnectException.class)
                .hasMessage(file + ", line 2, byte 7 of the file has bytes that are not UTF-8 text; set 'charset' to the file's encoding, or 'malformed.input' to replace");
        }
        Files.writeString(file, "a true \ufffd is text\n");
        try (SourceRun run = new SourceRun("file", file, "malformed.input", "fail").start()) {
            assertThat(run.pollAll(1).lines()).containsExactly("a true \ufffd is text");
        }
    }

    @Test
    void goesWhereAnOperatorPutsTheOffset() throws Exception {
        append("one\ntwo\nthree\n");
        try (SourceRun run = new SourceRun("file", file)) {
            run.putOffset(LineRecords.partition(file), Map.of("position", 4));
            assertThat(run.start().pollAll(2).lines()).containsExactly("two", "three");
        }
    }

    @Test
    void returnsFromAnIdlePollInTimeAndAtOnceWhenStopped() throws Exception {
        append("one\n");
        try (SourceRun run = new SourceRun("file", file, "poll.interval.ms", 10_000).start()) {
            run.poll();
            FileSourceTask task = run.task(0);
            Thread poller = new Thread(() -> {
                try {
                    task.poll();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "sluice-test-poller");
            poller.start();
            org.awaitility.Awaitility.await().until(() -> poller.getState() == Thread.State.TIMED_WAITING);
            task.stop();
            poller.join(Duration.ofSeconds(2).toMillis());
            assertThat(poller.isAlive()).isFalse();
        }
    }

    @Test
    void losesNothingWhenItsThreadIsInterrupted() throws Exception {
        append("one\ntwo\n");
        try (SourceRun run = new SourceRun("file", file).start()) {
            run.poll();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> run.task(0).poll()).isInstanceOf(InterruptedException.class);
            append("three\n");
            assertThat(run.pollAll(3).lines()).containsExactly("one", "two", "three");
        }
    }

    @Test
    void triesAgainWhenAFileCannotBeReached() throws Exception {
        Path parent = Files.writeString(directory.resolve("parent"), "a file where a directory should be");
        try (SourceRun run = new SourceRun("file", parent.resolve("app.log")).start()) {
            run.pollIdle();
            Files.delete(parent);
            Files.createDirectory(parent);
            Files.writeString(parent.resolve("app.log"), "one\n");
            assertThat(run.pollAll(1).lines()).containsExactly("one");
        }
    }
}
