package io.sluice.connector.jdbc.sink.write;

import io.sluice.connector.jdbc.db.SqlErrors;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.util.Set;

/** What a database's complaint means for what was tried. */
enum Failure {
    /** A row is refused for what it holds; others may be taken. */
    RECORD,
    /** The connection is lost, and whether the last statement took effect may not be known. */
    CONNECTION,
    /** It failed for a reason that passes: a deadlock, a lock that was waited for too long. */
    PASSING,
    /** It would fail again: a missing privilege, a wrong statement, a table that is gone or was altered. */
    LASTING;

    /** Longest chain that is looked at; drivers have been seen that link exceptions in a ring. */
    private static final int MOST = 100;

    private static final Set<String> RECORD_STATES = Set.of(
        // Two rows of one statement have the same key; a check option; a violation that was found at a commit.
        "21000", "44000", "40002",
        // PostgreSQL: a value of a wrong type, one too large for an index, a trigger's own exception.
        "42804", "42846", "54000", "P0001",
        // MySQL: a trigger's own exception; MariaDB's driver: a row larger than a packet may be.
        "45000", "HZ000",
        // Derby: no conversion from one type to the other.
        "XCL12");
    /** MySQL's codes under the general state HY000 and others: a wrong, too long or missing value, and check constraints. */
    private static final Set<Integer> MYSQL_RECORD_CODES = Set.of(1048, 1264, 1265, 1292, 1364, 1366, 1406, 1690, 3819, 4025, 4078);

    /** @param error with all that are linked to it */
    static Failure of(SQLException error) {
        switch (SqlErrors.kind(error)) {
            case CONNECTION -> {
                return CONNECTION;
            }
            case TRANSIENT -> {
                return PASSING;
            }
            default -> {
                Failure found = LASTING;
                int links = 0;
                for (SQLException link = error; link != null && links < MOST && found == LASTING; link = next(link), links++) {
                    found = ofLink(link);
                }
                return found;
            }
        }
    }

    private static SQLException next(SQLException link) {
        return link.getNextException() != null ? link.getNextException() : link.getCause() instanceof SQLException cause ? cause : null;
    }

    private static Failure ofLink(SQLException link) {
        String state = link.getSQLState() == null ? "" : link.getSQLState();
        if (link.getClass().getName().startsWith("org.sqlite.")) {
            return ofSqlite(link);
        }
        if (link instanceof SQLDataException || link instanceof SQLIntegrityConstraintViolationException || state.startsWith("22") || state.startsWith("23")
            || RECORD_STATES.contains(state)) {
            return RECORD;
        }
        return (state.isEmpty() || state.equals("HY000") || state.equals("01000")) && MYSQL_RECORD_CODES.contains(link.getErrorCode()) ? RECORD : LASTING;
    }

    /** @see <a href="https://www.sqlite.org/rescode.html">Result and Error Codes</a> */
    private static Failure ofSqlite(SQLException link) {
        // The low byte is the primary code: too big, constraint, mismatch.
        int code = link.getErrorCode() & 0xff;
        return code == 18 || code == 19 || code == 20 ? RECORD : LASTING;
    }
}
