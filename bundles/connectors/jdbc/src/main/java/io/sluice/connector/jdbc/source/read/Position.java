package io.sluice.connector.jdbc.source.read;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Up to where a table has been read: everything at or before it, by time and then number, is done.
 *
 * @param incrementing the number of the last row; a whole one of any size, or a decimal one
 * @param timestamp the time of the last row, exact. The local time of a column without a zone stands here as if it were UTC, so that the order is
 *     the database's own on every day of the year
 * @param inclusive true if rows with that time are to be read (again): not all of them are known to be done
 */
record Position(Optional<BigDecimal> incrementing, Optional<Instant> timestamp, boolean inclusive) {

    static final Position START = new Position(Optional.empty(), Optional.empty(), false);

    private static final String INCREMENTING = "incrementing";
    private static final String TIMESTAMP = "timestamp";
    private static final String NANOS = "timestamp_nanos";
    private static final BigDecimal MIN = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    Position {
        Objects.requireNonNull(incrementing, "incrementing");
        Objects.requireNonNull(timestamp, "timestamp");
    }

    static Position of(BigDecimal incrementing) {
        return new Position(Optional.of(incrementing), Optional.empty(), false);
    }

    static Position of(Instant timestamp) {
        return new Position(Optional.empty(), Optional.of(timestamp), false);
    }

    static Position of(Instant timestamp, BigDecimal incrementing) {
        return new Position(Optional.of(incrementing), Optional.of(timestamp), false);
    }

    /** All rows of that time, and later ones. */
    static Position from(Instant timestamp) {
        return new Position(Optional.empty(), Optional.of(timestamp), true);
    }

    /**
     * The map that is stored: {@code incrementing} (a number, or its text where 64 bits do not hold it), {@code timestamp} (milliseconds since
     * 1970) and {@code timestamp_nanos} (nanoseconds of the second), the form that Kafka Connect's JDBC source has.
     */
    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        incrementing.ifPresent(number -> map.put(INCREMENTING, isLong(number) ? (Object) number.longValueExact() : (Object) number.toPlainString()));
        timestamp.ifPresent(time -> {
            map.put(TIMESTAMP, time.toEpochMilli());
            map.put(NANOS, (long) time.getNano());
        });
        return map;
    }

    private static boolean isLong(BigDecimal number) {
        return number.compareTo(MIN) >= 0 && number.compareTo(MAX) <= 0 && number.stripTrailingZeros().scale() <= 0;
    }

    /**
     * From what is stored; what belongs to another mode is left out.
     *
     * @param map null if nothing is stored
     */
    static Position of(Map<String, ?> map, Mode mode) {
        if (map == null) {
            return START;
        }
        Optional<BigDecimal> number = Optional.ofNullable(map.get(INCREMENTING)).map(value -> new BigDecimal(value.toString()));
        Optional<Instant> time = Optional.ofNullable(map.get(TIMESTAMP)).map(value -> instant(number(value), map.get(NANOS)));
        if (mode == Mode.INCREMENTING) {
            return new Position(number, Optional.empty(), false);
        }
        // Stored in the mode that tells rows of one time apart by their numbers: not all rows of that time may be done.
        boolean partOfTheTime = mode == Mode.TIMESTAMP && number.isPresent();
        return new Position(mode == Mode.TIMESTAMP || time.isEmpty() ? Optional.empty() : number, time, partOfTheTime);
    }

    private static Instant instant(long millis, Object nanos) {
        Instant time = Instant.ofEpochMilli(millis);
        return nanos == null ? time : Instant.ofEpochSecond(time.getEpochSecond(), number(nanos));
    }

    private static long number(Object value) {
        return value instanceof Number number ? number.longValue() : Long.parseLong(value.toString());
    }
}
