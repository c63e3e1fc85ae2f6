package io.sluice.connector.file;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** The configuration keys of the file source. */
@ObjectClassDefinition(name = "File source", description = "Reads text files line by line and follows them as they grow, rotate or are truncated.")
public @interface FileSourceConfig {

    @AttributeDefinition(name = "File", required = false,
        description = "The path of one file, taken literally. It need not exist yet. Give this or 'files', or both.")
    String file() default "";

    @AttributeDefinition(name = "Files", required = false,
        description = "Comma-separated paths and globs (*, **, ?, [a-z], {a,b}; a backslash takes away a character's meaning), such as /var/log/*.log. "
            + "Files that come to match a glob later are read from their beginning.")
    String files() default "";

    @AttributeDefinition(name = "Excluded files", required = false,
        description = "Comma-separated globs of files that 'files' does not mean: of their names or, with a slash in it, of their whole paths.")
    String[] files_exclude() default {"*.gz", "*.zip", "*.bz2", "*.xz", "*.zst"};

    @AttributeDefinition(name = "Start from", required = false,
        description = "Where to start in a file that is there when the task starts and has no stored offset. Files that come later are read from their beginning.",
        options = {@Option(label = "the beginning of the file", value = "begin"), @Option(label = "the end of its last whole line", value = "end")})
    String start_from() default "begin";

    @AttributeDefinition(name = "Charset", required = false,
        description = "The encoding of the text. A byte order mark is left out of the text; UTF-16 and UTF-32 without one are big-endian.")
    String charset() default "UTF-8";

    @AttributeDefinition(name = "Malformed input", required = false, description = "What to do with bytes that are not text in the charset.",
        options = {@Option(label = "replace them by U+FFFD, count the lines and warn once for each file", value = "replace"),
            @Option(label = "fail the task and name the place", value = "fail")})
    String malformed_input() default "replace";

    @AttributeDefinition(name = "Line end", required = false, description = "What ends a line.",
        options = {@Option(label = "\\n or \\r\\n", value = "auto"), @Option(label = "\\n alone, a \\r before it is text", value = "lf"),
            @Option(label = "\\r\\n alone", value = "crlf"), @Option(label = "\\r", value = "cr"), @Option(label = "\\n, \\r or \\r\\n", value = "any")})
    String line_end() default "auto";

    @AttributeDefinition(name = "Longest line", required = false, min = "16", max = "1073741824",
        description = "Bytes that a line may have. The task holds one line of each file in memory; most lines are far shorter and cost no more than they have.")
    int line_max_bytes() default 16_777_216;

    @AttributeDefinition(name = "Line too long", required = false, description = "What to do with a line of more than 'line.max.bytes'.",
        options = {@Option(label = "fail the task and name the place", value = "fail"), @Option(label = "emit it in pieces", value = "split"),
            @Option(label = "emit its beginning and leave out the rest", value = "truncate")})
    String line_too_long() default "fail";

    @AttributeDefinition(name = "Last line timeout", required = false, min = "0",
        description = "Milliseconds after which a last line without a line end is emitted although it may go on; what follows then is a line of its own. "
            + "0 waits for the line end however long it takes.")
    long last_line_timeout_ms() default 0;

    @AttributeDefinition(name = "Key", required = false, description = "The key of each record.",
        options = {@Option(label = "no key: the records of a file stay in order", value = "none"), @Option(label = "the file's name", value = "file"),
            @Option(label = "the file's absolute path", value = "path")})
    String key() default "none";

    @AttributeDefinition(name = "Format", required = false, description = "The value of each record.",
        options = {@Option(label = "the line as a string", value = "line"),
            @Option(label = "a struct of file, line (number, counted from where reading began), offset (in bytes, of the line's beginning) and text", value = "struct")})
    String format() default "line";

    @AttributeDefinition(name = "Lines in a batch", required = false, min = "1", max = "1000000", description = "Most lines that one poll hands over.")
    int batch_max_lines() default 2_000;

    @AttributeDefinition(name = "Bytes in a batch", required = false, min = "1",
        description = "Bytes of lines after which a batch is handed over; a single longer line is a batch of its own.")
    long batch_max_bytes() default 4_194_304;

    @AttributeDefinition(name = "Poll interval", required = false, min = "1", max = "10000",
        description = "Milliseconds between two looks at files that had nothing new.")
    long poll_interval_ms() default 200;

    @AttributeDefinition(name = "Scan interval", required = false, min = "1",
        description = "Milliseconds between two searches for new files that match a glob.")
    long scan_interval_ms() default 2_000;

    @AttributeDefinition(name = "Wait after rotation", required = false, min = "0",
        description = "Milliseconds for which a rotated file is still read after its successor has got data, for programs of several processes that "
            + "reopen their log one after the other.")
    long rotate_wait_ms() default 1_000;

    @AttributeDefinition(name = "Look for rotated files", required = false,
        description = "After a rotation, also read files beside the file that appeared unseen since the one before and bear its name with a number or date "
            + "(app.log.1, app-2026-12-01.log): the file rotated more than once meanwhile. Set to false if such names belong to unrelated files.")
    boolean rotate_siblings() default true;

    @AttributeDefinition(name = "Close idle files", required = false, min = "1000",
        description = "Milliseconds after which a file without news is closed; it is opened again when it changes.")
    long idle_close_ms() default 300_000;
}
