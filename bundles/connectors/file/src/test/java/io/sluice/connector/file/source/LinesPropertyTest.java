package io.sluice.connector.file.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Any text, cut into any pieces by the writer and by stops of the reader, comes out as its lines. */
class LinesPropertyTest {

    record Form(String charset, String mark, String lineEnd, String separator) {
    }

    record Sample(Form form, List<String> lines, long seed) {
    }

    @Provide
    Arbitrary<Sample> samples() {
        Arbitrary<Form> forms = Combinators.combine(
            Arbitraries.of("UTF-8", "UTF-8 with mark", "UTF-16", "UTF-16 little with mark", "UTF-16LE", "UTF-16BE", "UTF-32LE", "GB18030", "ISO-8859-1", "IBM1047"),
            Arbitraries.of("auto \n", "auto \r\n", "lf \n", "crlf \r\n", "cr \r", "any \n", "any \r\n", "any \r")).as(LinesPropertyTest::form);
        Arbitrary<String> shortLine = Arbitraries.strings().withChars("ab \t\u00e4\u00df").ofMaxLength(12);
        Arbitrary<String> wide = Arbitraries.strings().withChars("a\u00e4\u0a0d\u0d0a\u4e2d\u20ac").ofMaxLength(40);
        Arbitrary<String> emoji = Arbitraries.of("\ud83d\ude00", "\ud83d\ude00\ud83d\ude01 x", "");
        Arbitrary<String> longLine = Arbitraries.of(3_000, 70_000, 300_000).map(length -> "0123456789".repeat(length / 10));
        return Combinators.combine(forms,
            Arbitraries.frequencyOf(net.jqwik.api.Tuple.of(6, shortLine), net.jqwik.api.Tuple.of(4, wide), net.jqwik.api.Tuple.of(1, emoji),
                net.jqwik.api.Tuple.of(1, longLine)).list().ofMaxSize(60),
            Arbitraries.longs()).as(Sample::new);
    }

    private static Form form(String encoding, String end) {
        String charset = encoding.contains(" ") ? encoding.substring(0, encoding.indexOf(' ')) : encoding;
        String mark = encoding.contains("mark") ? encoding.contains("little") ? "little" : "big" : "";
        int space = end.indexOf(' ');
        return new Form(charset, mark, end.substring(0, space), end.substring(space + 1));
    }

    @Property(tries = 150)
    void resumesAtTheExactByteWhereverItIsStopped(@ForAll("samples") Sample sample) throws IOException {
        Charset charset = writingCharset(sample.form);
        List<String> lines = sample.lines.stream().map(line -> new String(line.getBytes(charset), charset)).toList();
        byte[] bytes = ((sample.form.mark.isEmpty() ? "" : "\ufeff") + String.join("", lines.stream().map(line -> line + sample.form.separator).toList())).getBytes(charset);
        Random random = new Random(sample.seed);
        Path directory = Files.createTempDirectory("sluice-lines");
        Path file = directory.resolve("text");
        try (SourceRun run = new SourceRun("file", file, "charset", sample.form.charset, "line.end", sample.form.lineEnd, "poll.interval.ms", 1,
                "batch.max.lines", 1 + random.nextInt(20), "batch.max.bytes", 1 + random.nextInt(5_000))) {
            Files.createFile(file);
            run.start();
            for (int at = 0; at < bytes.length;) {
                int to = Math.min(bytes.length, at + 1 + random.nextInt(random.nextBoolean() ? 40 : 200_000));
                Files.write(file, Arrays.copyOfRange(bytes, at, to), StandardOpenOption.APPEND);
                at = to;
                for (int polls = random.nextInt(4); polls > 0; polls--) {
                    run.poll();
                }
                if (random.nextInt(3) == 0) {
                    run.stop();
                    run.start();
                }
            }
            run.pollUntil(() -> run.records.size() >= lines.size(), java.time.Duration.ofSeconds(20));
            run.poll();
            assertThat(run.lines()).isEqualTo(lines);
        } finally {
            delete(directory);
        }
    }

    @Property(tries = 60)
    void splitsLongLinesIntoPiecesOfWholeCharacters(@ForAll("samples") Sample sample) throws IOException {
        Charset charset = writingCharset(sample.form);
        List<String> lines = sample.lines.stream().map(line -> new String(line.getBytes(charset), charset)).map(line -> line.substring(0, Math.min(5_000, line.length()))).toList();
        byte[] bytes = ((sample.form.mark.isEmpty() ? "" : "\ufeff") + String.join("", lines.stream().map(line -> line + sample.form.separator).toList())).getBytes(charset);
        Random random = new Random(sample.seed);
        int max = 16 + random.nextInt(300);
        Path directory = Files.createTempDirectory("sluice-lines");
        Path file = directory.resolve("text");
        try (SourceRun run = new SourceRun("file", file, "charset", sample.form.charset, "line.end", sample.form.lineEnd, "poll.interval.ms", 1,
                "line.max.bytes", max, "line.too.long", "split", "batch.max.lines", 3, "format", "struct")) {
            Files.write(file, bytes);
            run.start();
            while (run.poll()) {
                if (random.nextInt(4) == 0) {
                    run.stop();
                    run.start();
                }
            }
            List<String> joined = new ArrayList<>();
            long last = 0;
            for (var record : run.records) {
                var value = (io.openmessaging.connector.api.data.Struct) record.getData();
                String text = value.getString("text");
                assertThat(text.getBytes(charset).length).isLessThanOrEqualTo(max);
                if (value.getInt64("line") == last) {
                    joined.set(joined.size() - 1, joined.get(joined.size() - 1) + text);
                } else {
                    joined.add(text);
                }
                last = value.getInt64("line");
            }
            assertThat(joined).isEqualTo(lines);
        } finally {
            delete(directory);
        }
    }

    private static Charset writingCharset(Form form) {
        return switch (form.charset) {
            case "UTF-16" -> Charset.forName(form.mark.equals("little") ? "UTF-16LE" : "UTF-16BE");
            default -> Charset.forName(form.charset);
        };
    }

    private static void delete(Path directory) throws IOException {
        try (var paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
