package io.sluice.connector.jdbc.source.read;

import io.sluice.connector.jdbc.source.column.SqlText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The database's own time: rows get their times from it, so that the clock of the machine that reads them does not matter. */
final class ServerClock {

    private static final Logger LOG = LoggerFactory.getLogger(ServerClock.class);
    /** What databases that are not known by name may understand. */
    private static final List<String> GENERIC = List.of("select current_timestamp", "select current_timestamp from dual", "values current_timestamp",
        "select current_timestamp from sysibm.sysdummy1");

    private String understood;
    private boolean hasNone;

    /** One moment. @param local what the database writes into columns without a zone at that moment, as far as it tells */
    record Now(Instant instant, LocalDateTime local) {

        /** The offset between the two, in whole quarters of an hour as all zones have it. */
        ZoneOffset offset() {
            long seconds = Duration.between(instant.atOffset(ZoneOffset.UTC).toLocalDateTime(), local).toSeconds();
            return ZoneOffset.ofTotalSeconds((int) Math.round(seconds / 900.0) * 900);
        }
    }

    Now now(Session session) throws SQLException {
        return switch (session.database().vendor()) {
            // Not now(), which stands still within a transaction.
            case POSTGRESQL -> ask(session, "select clock_timestamp(), clock_timestamp()::timestamp",
                row -> new Now(row.getObject(1, OffsetDateTime.class).toInstant(), row.getObject(2, LocalDateTime.class)));
            case H2 -> ask(session, "select current_timestamp(9)", row -> {
                OffsetDateTime time = row.getObject(1, OffsetDateTime.class);
                return new Now(time.toInstant(), time.toLocalDateTime());
            });
            // The session's own zone is UTC; without tables of zones a named one cannot be asked for.
            case MYSQL -> ask(session, "select utc_timestamp(6), coalesce(convert_tz(utc_timestamp(6), '+00:00', @@global.time_zone), utc_timestamp(6))",
                row -> new Now(SqlText.instant(row.getString(1)), SqlText.timestamp(row.getString(2))));
            case SQLITE -> ask(session, "select strftime('%Y-%m-%d %H:%M:%f', 'now')", row -> new Now(SqlText.instant(row.getString(1)), SqlText.timestamp(row.getString(1))));
            case DERBY -> ask(session, "values current_timestamp", row -> new Now(row.getTimestamp(1).toInstant(), SqlText.timestamp(row.getString(1))));
            case GENERIC -> generic(session);
        };
    }

    @FunctionalInterface
    private interface Answer {
        Now of(ResultSet row) throws SQLException;
    }

    private static Now ask(Session session, String sql, Answer answer) throws SQLException {
        try (Statement statement = session.connection().createStatement(); ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return answer.of(row);
        }
    }

    private static Now timestamp(ResultSet row) throws SQLException {
        Timestamp time = row.getTimestamp(1);
        return new Now(time.toInstant(), time.toLocalDateTime());
    }

    private Now generic(Session session) throws SQLException {
        if (understood == null && !hasNone) {
            findOut(session);
        }
        return hasNone ? new Now(Instant.now(), LocalDateTime.now()) : ask(session, understood, ServerClock::timestamp);
    }

    private void findOut(Session session) throws SQLException {
        for (String sql : GENERIC) {
            try {
                ask(session, sql, ServerClock::timestamp);
                understood = sql;
                return;
            } catch (SQLException e) {
                LOG.debug("'{}' does not tell the time of {}: {}", sql, session.database().product(), e.toString());
                session.recover();
            }
        }
        hasNone = true;
        LOG.warn("{} does not tell its time; this machine's clock is used for the delay window, and has to agree with it", session.database().product());
    }
}
