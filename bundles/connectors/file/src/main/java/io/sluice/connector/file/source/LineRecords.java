package io.sluice.connector.file.source;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.openmessaging.connector.api.data.Struct;
import java.nio.file.Path;
import java.util.Map;

/** Makes the records of one path. */
final class LineRecords {

    /** The key under which a partition map holds the path. */
    static final String FILE = "file";

    private static final Schema STRING = SchemaBuilder.string().required().build();
    private static final Schema LINE = SchemaBuilder.struct().name("io.sluice.file.Line").required()
        .field("file", SchemaBuilder.string().required().build())
        .field("line", SchemaBuilder.int64().required().build())
        .field("offset", SchemaBuilder.int64().required().build())
        .field("text", SchemaBuilder.string().required().build())
        .build();

    private final RecordPartition partition;
    private final String path;
    private final Schema keySchema;
    private final String key;
    private final boolean struct;

    LineRecords(Path path, SourceOptions options) {
        this.path = path.toString();
        partition = partition(path);
        key = switch (options.key()) {
            case NONE -> null;
            case FILE -> path.getFileName().toString();
            case PATH -> this.path;
        };
        keySchema = key == null ? null : STRING;
        struct = options.struct();
    }

    static RecordPartition partition(Path path) {
        return new RecordPartition(Map.of(FILE, path.toString()));
    }

    /** The record of the line that {@code reader} shows, which comes from {@code file}. */
    ConnectRecord of(LineReader reader, Generation file, ReadBefore before, Long timestamp) {
        long position = reader.position();
        RecordOffset offset = new RecordOffset(
            new LineOffset(position, reader.lineEnds(), file.id().key(), file.fingerprint(position), before.text()));
        if (!struct) {
            return new ConnectRecord(partition, offset, timestamp, keySchema, key, STRING, reader.text());
        }
        Struct value = new Struct(LINE);
        value.setValues(new Object[] {path, reader.textLine(), reader.textOffset(), reader.text()});
        return new ConnectRecord(partition, offset, timestamp, keySchema, key, LINE, value);
    }
}
