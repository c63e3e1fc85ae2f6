package io.sluice.connector.jdbc.source;

import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.db.ConnectionSettings;
import io.sluice.connector.jdbc.db.JdbcUrl;
import io.sluice.connector.jdbc.db.TableName;
import io.sluice.connector.jdbc.source.column.MappingOptions;
import io.sluice.connector.jdbc.source.read.Mode;
import io.sluice.connector.jdbc.source.read.ReadOptions;
import io.sluice.connector.jdbc.source.read.ReadOptions.Initial;
import io.sluice.connector.jdbc.source.read.Session;
import io.sluice.connector.jdbc.source.read.Unit;
import io.sluice.connector.jdbc.source.tables.TableSelection;
import io.sluice.spi.config.Config;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A configuration, read and found to make sense.
 *
 * @param connection how to connect
 * @param quoted whether identifiers are quoted
 * @param query empty to read tables
 * @param tables which tables
 * @param tablePollInterval how often to look for new ones
 * @param read how to read
 * @param topicPrefix empty for the connector's own topic
 * @param topicHasSchema whether a table's topic names its schema
 * @param maxRetries how many reads in a row may fail; negative for any number
 */
record SourceSettings(ConnectionSettings connection, boolean quoted, Optional<String> query, TableSelection tables, Duration tablePollInterval, ReadOptions read,
                      String topicPrefix, boolean topicHasSchema, int maxRetries) {

    /** @throws ConnectException if keys contradict each other; names them */
    static SourceSettings of(Map<String, String> config) {
        SourceConfig given = Config.of(config, SourceConfig.class);
        Optional<String> query = Optional.of(given.query()).filter(text -> !text.isBlank());
        if (query.isPresent() && given.table_whitelist().length + given.table_blacklist().length > 0) {
            throw new ConnectException("'query' and 'table.whitelist' or 'table.blacklist' exclude each other; leave out one of them");
        }
        TableSelection tables = new TableSelection(names("table.whitelist", given.table_whitelist()), names("table.blacklist", given.table_blacklist()),
            text(given.catalog_pattern()), text(given.schema_pattern()), List.of(given.table_types()));
        ReadOptions read = read(given);
        if (!JdbcUrl.isJdbc(given.connection_url())) {
            throw new ConnectException("'connection.url' is '" + JdbcUrl.masked(given.connection_url()) + "', which is no JDBC URL; it has the form jdbc:postgresql://host:5432/database");
        }
        return new SourceSettings(Session.withDriverDefaults(ConnectionSettings.of(config)), word(Quoted.class, "quote.sql.identifiers", given.quote_sql_identifiers()) == Quoted.ALWAYS,
            query, tables, Duration.ofMillis(given.table_poll_interval_ms()), read, given.topic_prefix().trim(), given.topic_include_schema(), given.max_retries());
    }

    private enum Quoted { ALWAYS, NEVER }

    private enum TooLarge { FAIL, NULL }

    private static List<String> names(String key, String[] names) {
        for (String name : names) {
            try {
                TableName.split(name);
            } catch (IllegalArgumentException e) {
                throw new ConnectException("'" + key + "': " + e.getMessage(), e);
            }
        }
        return List.of(names);
    }

    private static Optional<String> text(String value) {
        return Optional.of(value.trim()).filter(text -> !text.isEmpty());
    }

    private static <T extends Enum<T>> T word(Class<T> type, String key, String value) {
        for (T constant : type.getEnumConstants()) {
            if (constant.name().equalsIgnoreCase(value.trim())) {
                return constant;
            }
        }
        throw new ConnectException("'" + key + "' is '" + value + "'; it can be " + Arrays.stream(type.getEnumConstants())
            .map(constant -> constant.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(", ")));
    }

    private static ReadOptions read(SourceConfig given) {
        Mode mode = Mode.of(given.mode()).orElseThrow(() -> new ConnectException("'mode' is '" + given.mode() + "'; it can be "
            + Arrays.stream(Mode.values()).map(Mode::word).collect(Collectors.joining(", "))));
        List<String> timestamps = List.of(given.timestamp_column_name());
        if (mode.hasTimestamp() && timestamps.isEmpty()) {
            throw new ConnectException("'mode' is '" + mode.word() + "', which needs 'timestamp.column.name': the column that holds the last change");
        }
        if (mode.hasIncrementing() && given.incrementing_column_name().isBlank() && !given.query().isBlank()) {
            throw new ConnectException("'mode' is '" + mode.word() + "', which needs 'incrementing.column.name' for a query: the column that only grows");
        }
        ReadOptions.Key key = word(ReadOptions.Key.class, "key.from", given.key_from());
        List<String> keyColumns = List.of(given.key_columns());
        if ((key == ReadOptions.Key.COLUMNS) == keyColumns.isEmpty()) {
            throw new ConnectException("'key.from' = columns and 'key.columns' go together; give both or neither");
        }
        Optional<ZoneId> zone = text(given.db_timezone()).map(SourceSettings::zone);
        return new ReadOptions(mode, text(given.incrementing_column_name()), timestamps, Duration.ofMillis(given.timestamp_delay_interval_ms()),
            initial(given.timestamp_initial().trim()), given.validate_non_null(), Duration.ofMillis(given.poll_interval_ms()), given.batch_max_rows(),
            given.batch_max_bytes(), key, keyColumns, zone, mapping(given, zone.orElse(ZoneOffset.UTC)));
    }

    private static MappingOptions mapping(SourceConfig given, ZoneId zone) {
        return new MappingOptions(word(MappingOptions.Numeric.class, "numeric.mapping", given.numeric_mapping()), given.numeric_unscaled_scale(),
            word(MappingOptions.Temporal.class, "temporal.precision", given.temporal_precision()), zone,
            word(MappingOptions.Special.class, "special.values", given.special_values()), word(MappingOptions.ZeroDates.class, "zero.dates", given.zero_dates()),
            word(MappingOptions.Unknown.class, "unknown.types", given.unknown_types()), given.lob_max_bytes(),
            word(TooLarge.class, "lob.too.large", given.lob_too_large()) == TooLarge.NULL, given.tinyint1_as_boolean(), given.char_trim());
    }

    private static ZoneId zone(String name) {
        try {
            return ZoneId.of(name).normalized();
        } catch (DateTimeException e) {
            throw new ConnectException("'db.timezone' is '" + name + "', which is no time zone; UTC, +01:00 and Europe/Berlin are", e);
        }
    }

    private static Initial initial(String text) {
        if (text.isEmpty()) {
            return Initial.OLDEST;
        }
        if (text.equalsIgnoreCase("now") || text.equals("-1")) {
            return Initial.NOW;
        }
        try {
            return new Initial(false, Optional.of(text.matches("-?\\d+") ? Instant.ofEpochMilli(Long.parseLong(text)) : Instant.parse(text)));
        } catch (DateTimeException | NumberFormatException e) {
            throw new ConnectException("'timestamp.initial' is '" + text + "'; it can be now, milliseconds since 1970, or a time such as 2026-01-31T12:00:00Z", e);
        }
    }

    /** Where the records of a unit go; empty for the connector's own topic. */
    Optional<String> topic(Unit unit) {
        if (topicPrefix.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(topicPrefix + unit.table().map(this::topicPart).orElse(""));
    }

    private String topicPart(TableName name) {
        Optional<String> before = name.schema().or(name::catalog).filter(part -> topicHasSchema);
        return before.map(part -> part + ".").orElse("") + name.table();
    }
}
