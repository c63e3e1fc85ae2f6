package io.sluice.connector.file.source;

import io.sluice.connector.file.FileSourceConfig;
import io.sluice.connector.file.text.LineEnd;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Locale;

/** The configuration of a task, read once. Its keys are explained in {@link FileSourceConfig}. */
record SourceOptions(boolean fromEnd, Charset charset, boolean failOnMalformed, LineEnd lineEnd, int lineMaxBytes, TooLong tooLong,
                     Duration lastLineTimeout, Key key, boolean struct, int batchMaxLines, long batchMaxBytes, Duration pollInterval,
                     Duration scanInterval, Duration rotateWait, boolean rotateSiblings, Duration idleClose) {

    /** What to do with a line that is longer than allowed. */
    enum TooLong { FAIL, SPLIT, TRUNCATE }

    /** What the key of a record is. */
    enum Key { NONE, FILE, PATH }

    static SourceOptions of(FileSourceConfig config) {
        return new SourceOptions(
            config.start_from().trim().equalsIgnoreCase("end"),
            Charset.forName(config.charset().trim()),
            config.malformed_input().trim().equalsIgnoreCase("fail"),
            LineEnd.of(config.line_end()),
            config.line_max_bytes(),
            TooLong.valueOf(word(config.line_too_long())),
            Duration.ofMillis(config.last_line_timeout_ms()),
            Key.valueOf(word(config.key())),
            config.format().trim().equalsIgnoreCase("struct"),
            config.batch_max_lines(),
            config.batch_max_bytes(),
            Duration.ofMillis(config.poll_interval_ms()),
            Duration.ofMillis(config.scan_interval_ms()),
            Duration.ofMillis(config.rotate_wait_ms()),
            config.rotate_siblings(),
            Duration.ofMillis(config.idle_close_ms()));
    }

    private static String word(String text) {
        return text.trim().toUpperCase(Locale.ROOT);
    }
}
