package io.sluice.connector.file.sink;

import io.sluice.connector.file.FileSinkConfig;
import io.sluice.connector.file.text.LineEnd;
import io.sluice.connector.file.text.TextEncoding;
import java.nio.charset.Charset;
import java.time.Duration;

/**
 * The configuration of a task, read once. Its keys are explained in {@link FileSinkConfig}.
 *
 * @param mark the byte order mark of a new file, often of no bytes
 * @param separator the bytes after each line
 */
record SinkOptions(boolean append, boolean json, TextEncoding encoding, byte[] mark, LineEnd lineEnd, byte[] separator, boolean escape,
                   long rollSizeBytes, Duration rollInterval, boolean fsync, boolean cutTornLine) {

    static SinkOptions of(FileSinkConfig config) {
        Charset charset = Charset.forName(config.charset().trim());
        byte[] mark = TextEncoding.markToWrite(charset);
        TextEncoding encoding = TextEncoding.of(charset, mark, mark.length);
        LineEnd lineEnd = LineEnd.of(config.line_separator());
        return new SinkOptions(config.append(), is(config.format(), "json"), encoding, mark, lineEnd, encoding.encode(lineEnd.characters()),
            is(config.line_breaks(), "escape"), config.roll_size_bytes(), Duration.ofMillis(config.roll_interval_ms()), config.fsync(),
            is(config.torn_line(), "cut"));
    }

    private static boolean is(String value, String word) {
        return value.trim().equalsIgnoreCase(word);
    }
}
