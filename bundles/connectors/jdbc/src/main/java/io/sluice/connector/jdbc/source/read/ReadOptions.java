package io.sluice.connector.jdbc.source.read;

import io.sluice.connector.jdbc.source.column.MappingOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How tables are read. The keys are explained in the source's configuration type.
 *
 * @param mode {@code mode}
 * @param incrementingColumn {@code incrementing.column.name}; empty to find it
 * @param timestampColumns {@code timestamp.column.name}
 * @param delay {@code timestamp.delay.interval.ms}
 * @param initial {@code timestamp.initial}
 * @param requireNonNull {@code validate.non.null}
 * @param pollInterval {@code poll.interval.ms}
 * @param batchMaxRows {@code batch.max.rows}
 * @param batchMaxBytes {@code batch.max.bytes}
 * @param key {@code key.from}
 * @param keyColumns {@code key.columns}
 * @param zone {@code db.timezone}; empty for what the database itself takes for the local time
 * @param mapping how columns become fields
 */
public record ReadOptions(Mode mode, Optional<String> incrementingColumn, List<String> timestampColumns, Duration delay, Initial initial, boolean requireNonNull,
                          Duration pollInterval, int batchMaxRows, long batchMaxBytes, Key key, List<String> keyColumns, Optional<ZoneId> zone, MappingOptions mapping) {

    /** What the key of a record is. */
    public enum Key { NONE, PRIMARY_KEY, COLUMNS }

    /** Where to begin without a stored offset. @param time empty for the oldest row, unless {@code now} */
    public record Initial(boolean now, Optional<Instant> time) {

        public static final Initial OLDEST = new Initial(false, Optional.empty());
        public static final Initial NOW = new Initial(true, Optional.empty());
    }

    public ReadOptions {
        Objects.requireNonNull(mode, "mode");
        timestampColumns = List.copyOf(timestampColumns);
        keyColumns = List.copyOf(keyColumns);
    }
}
