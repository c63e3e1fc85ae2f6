package io.sluice.connector.jdbc.source;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordOffset;
import io.openmessaging.connector.api.data.RecordPartition;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.storage.OffsetStorageReader;
import io.sluice.connector.jdbc.db.Connections;
import io.sluice.connector.jdbc.db.Database;
import io.sluice.connector.jdbc.db.TableNames;
import io.sluice.spi.RecordNames;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one table, or one query, from where it stands. A look at the table is one statement whose result is streamed over as many calls as it
 * takes; an offset is that of the row which carries it, so that reading can go on behind any row.
 */
final class TableReader {

    private static final String INCREMENTING = "incrementing";
    private static final String SECONDS = "timestamp";
    private static final String NANOS = "timestamp_nanos";
    private static final String BULK = "bulk";

    private final String table;
    private final String query;
    private final SourceConfig settings;
    private final RecordPartition partition;
    private final boolean byNumber;
    private final boolean byTime;
    private Database database = Database.GENERIC;
    private volatile Statement statement;
    private ResultSet rows;
    private RowMapper mapper;
    private List<String> key = List.of();
    private Schema keySchema;
    private long lookedNanos;
    private boolean looked;
    /** Where reading stands: the place of the last row that was handed on. */
    private BigDecimal number;
    private Timestamp time;
    /** In timestamp mode: the time before that of the rows in hand. Their own time counts only when all rows that share it were read. */
    private Timestamp timeBefore;

    private TableReader(String table, String query, SourceConfig settings, RecordPartition partition, OffsetStorageReader offsets) {
        this.table = table;
        this.query = query;
        this.settings = settings;
        this.partition = partition;
        String mode = settings.mode().trim();
        this.byNumber = mode.contains("incrementing");
        this.byTime = mode.contains("timestamp");
        RecordOffset stored = offsets.readOffset(partition);
        if (stored != null) {
            Object storedNumber = stored.getOffset().get(INCREMENTING);
            number = storedNumber == null ? null : new BigDecimal(storedNumber.toString());
            Object storedTime = stored.getOffset().get(SECONDS);
            time = storedTime == null ? null : time(((Number) storedTime).longValue(), ((Number) stored.getOffset().get(NANOS)).intValue());
        }
        timeBefore = time;
    }

    static TableReader ofTable(String table, SourceConfig settings, OffsetStorageReader offsets) {
        return new TableReader(table, null, settings, new RecordPartition(Map.of("table", table)), offsets);
    }

    static TableReader ofQuery(SourceConfig settings, OffsetStorageReader offsets) {
        return new TableReader("query", settings.query().trim(), settings, new RecordPartition(Map.of("query", settings.query().trim())), offsets);
    }

    void speak(Database to) {
        database = to;
    }

    boolean isDue() {
        return rows != null || dueInMs() <= 0;
    }

    long dueInMs() {
        return looked ? settings.poll_interval_ms() - (System.nanoTime() - lookedNanos) / 1_000_000 : 0;
    }

    /** The next rows; empty if there are none now. */
    List<ConnectRecord> read(Connection connection) throws SQLException {
        if (rows == null) {
            look(connection);
        }
        List<ConnectRecord> records = new ArrayList<>();
        while (records.size() < settings.batch_max_rows()) {
            if (!rows.next()) {
                finish(connection);
                break;
            }
            records.add(record());
        }
        return records;
    }

    private void look(Connection connection) throws SQLException {
        lookedNanos = System.nanoTime();
        looked = true;
        if (query == null) {
            key = TableNames.primaryKey(connection, table);
        }
        String from = query == null ? database.quoteTable(table) : "(" + query + ") sluice_query";
        StringBuilder sql = new StringBuilder("SELECT * FROM ").append(from);
        List<Object> parameters = new ArrayList<>();
        String numberColumn = database.quote(settings.incrementing_column_name().trim());
        String timeColumn = database.quote(settings.timestamp_column_name().trim());
        if (byTime) {
            sql.append(" WHERE ").append(timeColumn).append(" < ?");
            parameters.add(Timestamp.from(now(connection).minusMillis(settings.timestamp_delay_interval_ms())));
            if (time != null && byNumber) {
                sql.append(" AND (").append(timeColumn).append(" > ? OR ").append(timeColumn).append(" = ? AND ").append(numberColumn).append(" > ?)");
                parameters.addAll(List.of(time, time, number));
            } else if (time != null) {
                sql.append(" AND ").append(timeColumn).append(" > ?");
                parameters.add(time);
            }
            sql.append(" ORDER BY ").append(timeColumn).append(byNumber ? ", " + numberColumn : "");
        } else if (byNumber) {
            if (number != null) {
                sql.append(" WHERE ").append(numberColumn).append(" > ?");
                parameters.add(number);
            }
            sql.append(" ORDER BY ").append(numberColumn);
        }
        PreparedStatement prepared = connection.prepareStatement(sql.toString());
        statement = prepared;
        // MySQL's driver streams only if it is told so in this way; the others take it as a number of rows.
        prepared.setFetchSize(database == Database.MYSQL ? Integer.MIN_VALUE : settings.batch_max_rows());
        for (int i = 0; i < parameters.size(); i++) {
            prepared.setObject(i + 1, parameters.get(i));
        }
        rows = prepared.executeQuery();
        mapper = RowMapper.of(table, rows.getMetaData(), settings);
        keySchema = key.isEmpty() ? null : mapper.keySchema(key);
    }

    /** The database's own time: its clock made the rows' times. */
    private Instant now(Connection connection) throws SQLException {
        try (Statement ask = connection.createStatement(); ResultSet answer = ask.executeQuery(database.now())) {
            answer.next();
            // A time of right now is open to rows of the same instant; the next look takes them.
            return answer.getTimestamp(1).toInstant();
        }
    }

    private ConnectRecord record() throws SQLException {
        Struct value = mapper.map(rows);
        RecordOffset offset = new RecordOffset(advance());
        Struct keyStruct = null;
        if (keySchema != null) {
            keyStruct = new Struct(keySchema);
            for (String column : key) {
                keyStruct.put(column, value.get(column));
            }
        }
        ConnectRecord record = new ConnectRecord(partition, offset, System.currentTimeMillis(), keySchema, keyStruct, mapper.schema(), value);
        if (!settings.topic_prefix().isBlank()) {
            record.addExtension(RecordNames.TOPIC_EXTENSION, settings.topic_prefix().trim() + (query == null ? table : ""));
        }
        return record;
    }

    /** Notes the place of the present row. @return the offset that goes with it */
    private Map<String, Object> advance() throws SQLException {
        Map<String, Object> offset = new HashMap<>();
        if (byNumber) {
            number = rows.getBigDecimal(settings.incrementing_column_name().trim());
            if (number == null) {
                throw new SQLException("'incrementing.column.name' is " + settings.incrementing_column_name() + ", which is null in a row of " + table
                    + "; it needs a column that never is", "22004");
            }
            offset.put(INCREMENTING, number.toBigIntegerExact().bitLength() < Long.SIZE ? (Object) number.longValueExact() : number.toPlainString());
        }
        if (byTime) {
            Timestamp own = rows.getTimestamp(settings.timestamp_column_name().trim());
            if (!own.equals(time)) {
                timeBefore = time;
                time = own;
            }
            Timestamp sure = byNumber ? time : timeBefore;
            if (sure != null) {
                offset.put(SECONDS, sure.getTime());
                offset.put(NANOS, (long) sure.getNanos());
            }
        }
        if (offset.isEmpty()) {
            offset.put(BULK, "read");
        }
        return offset;
    }

    private static Timestamp time(long millis, int nanos) {
        Timestamp time = new Timestamp(millis);
        time.setNanos(nanos);
        return time;
    }

    private void finish(Connection connection) throws SQLException {
        reset();
        connection.commit();
    }

    /** A statement has failed: the next read looks again behind the last row that is surely read with all that share its place. */
    void failed() {
        reset();
        looked = false;
        if (byTime && !byNumber) {
            time = timeBefore;
        }
    }

    private void reset() {
        Connections.close(rows);
        Connections.close(statement);
        rows = null;
        statement = null;
    }

    /** Ends a statement that is being carried out. Any thread. */
    void cancel() {
        Statement running = statement;
        if (running != null) {
            try {
                running.cancel();
            } catch (SQLException e) {
                Connections.close(running);
            }
        }
    }
}
