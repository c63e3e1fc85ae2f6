package io.sluice.connector.file;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** The configuration keys of the file sink. */
@ObjectClassDefinition(name = "File sink", description = "Writes each record as one line of a text file.")
public @interface FileSinkConfig {

    @AttributeDefinition(name = "File", min = "1",
        description = "The path of the file. ${topic} (or {topic}) in it stands for the record's topic, ${task} (or {task}) for the number of the task; with more "
            + "than one task and no such number, it is put before the extension. Missing directories are made.")
    String file();

    @AttributeDefinition(name = "Append", required = false,
        description = "true goes on at the end of a file that is there; false renames it, as rolling does, and begins a new one whenever the task starts.")
    boolean append() default true;

    @AttributeDefinition(name = "Format", required = false, description = "How a value becomes a line. A struct, map or list is a line of JSON in any case.",
        options = {@Option(label = "strings and bytes as they are, other single values as text, null as an empty line", value = "text"),
            @Option(label = "all values as JSON", value = "json")})
    String format() default "text";

    @AttributeDefinition(name = "Charset", required = false,
        description = "The encoding of the text. UTF-16 writes a byte order mark at the beginning of a file. Values that are bytes are written as they are.")
    String charset() default "UTF-8";

    @AttributeDefinition(name = "Line separator", required = false, description = "What is written after each line.",
        options = {@Option(label = "\\n", value = "lf"), @Option(label = "\\r\\n", value = "crlf"), @Option(label = "\\r", value = "cr")})
    String line_separator() default "lf";

    @AttributeDefinition(name = "Line breaks in values", required = false, description = "What to do with a \\n or \\r inside a string (JSON never has one).",
        options = {@Option(label = "write it as it is: the record becomes several lines", value = "keep"),
            @Option(label = "write \\n, \\r and \\\\ instead, so that a record stays one line", value = "escape")})
    String line_breaks() default "keep";

    @AttributeDefinition(name = "Roll at size", required = false, min = "0",
        description = "Bytes beyond which a file does not grow: it is renamed to name-<UTC time>.ext and a new one begun; a longer line has a file of its own. 0 never does.")
    long roll_size_bytes() default 0;

    @AttributeDefinition(name = "Roll after time", required = false, min = "0",
        description = "Milliseconds after a file's creation at which it is renamed likewise, with the next record or commit. 0 never does.")
    long roll_interval_ms() default 0;

    @AttributeDefinition(name = "Force to disk", required = false,
        description = "true forces what was written to the disk before a commit, so that it survives a crash of the machine; false leaves that to the operating "
            + "system and only survives a crash of the process.")
    boolean fsync() default true;

    @AttributeDefinition(name = "Torn line", required = false,
        description = "What to do with a last line without a line separator in a file that is gone on with. A crash in the middle of a write leaves one; its record comes again.",
        options = {@Option(label = "move it to name.torn", value = "cut"), @Option(label = "put a line separator behind it", value = "complete")})
    String torn_line() default "cut";
}
