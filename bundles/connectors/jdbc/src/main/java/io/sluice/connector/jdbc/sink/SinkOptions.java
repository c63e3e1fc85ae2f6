package io.sluice.connector.jdbc.sink;

import io.sluice.connector.jdbc.sink.row.KeyMode;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The configuration of a sink task, in types.
 *
 * @param insertMode how rows are written
 * @param delete whether a null value deletes
 * @param keyMode where the key's columns come from
 * @param keyFields the names of the key's columns; empty for those that the mode itself has
 * @param whitelist the fields to write; empty for all
 * @param valueColumn the column for a value that has no fields
 * @param tableName the table's name, in which the topic's stands for a placeholder
 * @param tableTypes what may be written to, in the driver's words
 * @param quoteNames whether names are quoted in statements
 * @param batchSize most rows in one JDBC batch
 * @param maxRetries how often a put is tried again before the runtime is asked to put it again
 * @param backoff wait between these
 * @param zone whose local time a timestamp without a zone has
 * @param nestedAsJson whether values without a column type become JSON text
 * @param offsetsTable where queue offsets are kept, if they are
 */
public record SinkOptions(InsertMode insertMode, boolean delete, KeyMode keyMode, List<String> keyFields, Set<String> whitelist, String valueColumn,
                          String tableName, Set<String> tableTypes, boolean quoteNames, boolean autoCreate, boolean autoEvolve, int batchSize, int maxRetries, Duration backoff,
                          ZoneId zone, boolean nestedAsJson, boolean exactlyOnce, String offsetsTable) {

    /** How a row gets into its table. */
    public enum InsertMode { INSERT, UPSERT, UPDATE }

    /** @throws IllegalArgumentException if a value does not fit; validate first to get a message for each key */
    public static SinkOptions of(JdbcSinkConfig config) {
        return new SinkOptions(InsertMode.valueOf(config.insert_mode().trim().toUpperCase(Locale.ROOT)), config.delete_enabled(),
            KeyMode.of(config.pk_mode()), List.of(config.pk_fields()), Set.copyOf(List.of(config.fields_whitelist())), config.value_column().trim(),
            config.table_name_format().trim(),
            Set.copyOf(List.of(config.table_types())), config.quote_sql_identifiers().trim().equalsIgnoreCase("always"), config.auto_create(), config.auto_evolve(), config.batch_size(), config.max_retries(), Duration.ofMillis(config.retry_backoff_ms()),
            ZoneId.of(config.db_timezone().trim()), config.nested_values().trim().equalsIgnoreCase("json"),
            config.delivery().trim().equalsIgnoreCase("exactly-once"), config.offsets_table().trim());
    }

    /** The name of the table for a topic, as it stands in the configuration otherwise. */
    public String tableFor(String topic) {
        return tableName.replace("${topic}", topic).replace("{topic}", topic);
    }
}
