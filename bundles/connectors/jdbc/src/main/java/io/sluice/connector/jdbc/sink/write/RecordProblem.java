package io.sluice.connector.jdbc.sink.write;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.connector.jdbc.sink.bind.DataProblem;
import io.sluice.spi.RecordNames;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** One record cannot be written, whatever becomes of the others. */
final class RecordProblem extends ConnectException {

    private static final long serialVersionUID = 1L;

    private final transient ConnectRecord record;

    private RecordProblem(ConnectRecord record, String message, Throwable cause) {
        super(place(record) + ": " + message, cause);
        this.record = record;
    }

    ConnectRecord record() {
        return record;
    }

    /** The record has no place in any table. */
    static RecordProblem ofRecord(ConnectRecord record, DataProblem cause) {
        return new RecordProblem(record, cause.getMessage(), cause);
    }

    /** The record has no place in its table. */
    static RecordProblem ofTable(ConnectRecord record, String table, DataProblem cause) {
        return new RecordProblem(record, "table " + table + ": " + cause.getMessage(), cause);
    }

    static RecordProblem ofValue(ConnectRecord record, String table, String column, DataProblem cause) {
        return new RecordProblem(record, "table " + table + ", column " + column + ": " + cause.getMessage(), cause);
    }

    /** The database has refused the row. @param column the column that is to blame, if that can be told */
    static RecordProblem ofDatabase(ConnectRecord record, String table, Optional<String> column, SQLException cause) {
        String state = "SQL state " + (cause.getSQLState() == null ? "unknown" : cause.getSQLState())
            + (cause.getErrorCode() == 0 ? "" : ", error " + cause.getErrorCode());
        return new RecordProblem(record, "table " + table + column.map(name -> ", column " + name).orElse("") + ": " + Blame.withoutStatement(cause.getMessage()) + " (" + state + ")", cause);
    }

    private static String place(ConnectRecord record) {
        if (record.getPosition() == null) {
            return "a record without a position";
        }
        Map<String, ?> partition = record.getPosition().getPartition().getPartition();
        return "topic '" + partition.get(RecordNames.TOPIC) + "', broker '" + partition.get(RecordNames.BROKER_NAME) + "', queue "
            + partition.get(RecordNames.QUEUE_ID) + ", offset " + record.getPosition().getOffset().getOffset().get(RecordNames.QUEUE_OFFSET);
    }
}
