package io.sluice.connector.jdbc.source.column;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;

/**
 * Reads dates and times as databases print them, all digits of the fraction kept: {@code 2024-01-31 12:34:56.123456+05:30}, with {@code BC} behind
 * it for years before the first. By hand, since this is done for every value.
 */
public final class SqlText {

    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final int[] TENS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000};

    private final String text;
    private int at;

    private SqlText(String text) {
        this.text = text;
    }

    /** @throws DateTimeException if it is none, or one that no calendar has, such as the 31st of February */
    public static LocalDate date(String text) {
        SqlText reader = new SqlText(text);
        LocalDate date = reader.date();
        return reader.ended(date);
    }

    /** @throws DateTimeException as {@link #date(String)} */
    public static LocalDateTime timestamp(String text) {
        SqlText reader = new SqlText(text);
        LocalDateTime time = reader.timestamp();
        return time.with(reader.ended(time.toLocalDate()));
    }

    /** A timestamp with an offset; without one it is taken for UTC. @throws DateTimeException as {@link #date(String)} */
    public static Instant instant(String text) {
        SqlText reader = new SqlText(text);
        LocalDateTime time = reader.timestamp();
        ZoneOffset offset = reader.at < text.length() && text.charAt(reader.at) != ' ' ? reader.offset() : ZoneOffset.UTC;
        return time.with(reader.ended(time.toLocalDate())).toInstant(offset);
    }

    /** Nanoseconds since midnight: negative or beyond a day if the text says so, {@code -838:59:59} for example. */
    public static long nanosOfTime(String text) {
        SqlText reader = new SqlText(text);
        boolean negative = reader.skip('-');
        long hours = reader.number();
        reader.expect(':');
        long minutes = reader.number();
        long seconds = reader.skip(':') ? reader.number() : 0;
        long nanos = ((hours * 60 + minutes) * 60 + seconds) * NANOS_PER_SECOND + reader.fraction();
        if (reader.at != text.length() || minutes > 59 || seconds > 59) {
            throw reader.none("time");
        }
        return negative ? -nanos : nanos;
    }

    private LocalDate date() {
        int year = number();
        expect('-');
        int month = number();
        expect('-');
        return LocalDate.of(year, month, number());
    }

    private LocalDateTime timestamp() {
        LocalDate date = date();
        if (at == text.length()) {
            return date.atStartOfDay();
        }
        if (text.charAt(at) != ' ' && text.charAt(at) != 'T' || text.startsWith(" BC", at)) {
            return date.atStartOfDay();
        }
        at++;
        int hour = number();
        expect(':');
        int minute = number();
        int second = skip(':') ? number() : 0;
        return LocalDateTime.of(date, LocalTime.of(hour, minute, second, fraction()));
    }

    /** The date, in the era that stands at the end. */
    private LocalDate ended(LocalDate date) {
        if (text.startsWith(" BC", at) && at + 3 == text.length()) {
            // There is no year 0 in the database's count: 1 BC is year 0 of ISO's.
            return LocalDate.of(1 - date.getYear(), date.getMonthValue(), date.getDayOfMonth());
        }
        if (at != text.length()) {
            throw none("date or timestamp");
        }
        return date;
    }

    private ZoneOffset offset() {
        if (skip('Z')) {
            return ZoneOffset.UTC;
        }
        int sign = skip('-') ? -1 : 1;
        if (sign == 1) {
            expect('+');
        }
        int hours = number();
        int minutes = skip(':') ? number() : 0;
        int seconds = skip(':') ? number() : 0;
        return ZoneOffset.ofTotalSeconds(sign * ((hours * 60 + minutes) * 60 + seconds));
    }

    private int number() {
        int from = at;
        int value = 0;
        while (at < text.length() && isDigit(text.charAt(at))) {
            value = value * 10 + text.charAt(at++) - '0';
        }
        if (at == from || at - from > 9) {
            throw none("date or time");
        }
        return value;
    }

    private int fraction() {
        if (!skip('.')) {
            return 0;
        }
        int from = at;
        int value = 0;
        while (at < text.length() && isDigit(text.charAt(at))) {
            if (at - from < 9) {
                value = value * 10 + text.charAt(at) - '0';
            } else if (text.charAt(at) != '0') {
                throw none("time of nanoseconds or coarser");
            }
            at++;
        }
        return value * TENS[Math.max(0, 9 - (at - from))];
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private boolean skip(char c) {
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char c) {
        if (!skip(c)) {
            throw none("date or time");
        }
    }

    private DateTimeException none(String what) {
        return new DateTimeException("'" + text + "' is no " + what);
    }
}
