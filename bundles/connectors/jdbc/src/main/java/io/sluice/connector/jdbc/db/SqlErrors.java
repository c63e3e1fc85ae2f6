package io.sluice.connector.jdbc.db;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;

/** Tells errors that pass by themselves from those that do not, by class, SQLState and the vendors' own codes. */
public final class SqlErrors {

    /** What an error means for the one who got it. */
    public enum Kind {
        /** The connection is gone or cannot be had at present: open another one, later. */
        CONNECTION,
        /** The statement or transaction failed by the work of others, a deadlock for example: roll back and do it again. */
        TRANSIENT,
        /** It fails again however often it is tried. */
        PERMANENT
    }

    /** Longest chain that is looked at; drivers have been seen that link exceptions in a ring. */
    private static final int MOST = 100;

    private SqlErrors() {
    }

    /** True if it is worth to try again, over a new connection. */
    public static boolean isRetriable(Throwable error) {
        return kind(error) != Kind.PERMANENT;
    }

    /** What a failure says, with its SQLState. */
    public static String text(SQLException failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage().strip();
        return message + (failure.getSQLState() == null ? "" : " (SQLState " + failure.getSQLState() + ")");
    }

    /** The most hopeless link decides on authorisation, the most telling one on all else. */
    public static Kind kind(Throwable error) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Throwable> open = new ArrayDeque<>();
        open.add(error);
        Kind found = Kind.PERMANENT;
        while (!open.isEmpty() && seen.size() < MOST) {
            Throwable link = open.poll();
            if (!seen.add(link)) {
                continue;
            }
            if (isRefusal(link)) {
                return Kind.PERMANENT;
            }
            Kind kind = ofLink(link);
            if (kind.compareTo(found) < 0) {
                found = kind;
            }
            if (link.getCause() != null) {
                open.add(link.getCause());
            }
            if (link instanceof SQLException sql && sql.getNextException() != null) {
                open.add(sql.getNextException());
            }
        }
        return found;
    }

    /** The server was reached and does not let this user in. */
    private static boolean isRefusal(Throwable link) {
        return link instanceof SQLInvalidAuthorizationSpecException
            || link instanceof SQLException sql && (state(sql).startsWith("28") || state(sql).equals("08004") && isDerby(sql));
    }

    /** Derby throws the exceptions of java.sql itself, its own within; with it, 08004 is a wrong password. */
    private static boolean isDerby(SQLException sql) {
        return sql.getCause() != null && sql.getCause().getClass().getName().startsWith("org.apache.derby.");
    }

    private static Kind ofLink(Throwable link) {
        if (link instanceof MissingDriverException || link instanceof IOException) {
            return Kind.CONNECTION;
        }
        if (!(link instanceof SQLException sql)) {
            return Kind.PERMANENT;
        }
        String state = state(sql);
        if (isConnection(sql, state)) {
            return Kind.CONNECTION;
        }
        return isTransient(sql, state) ? Kind.TRANSIENT : Kind.PERMANENT;
    }

    private static String state(SQLException sql) {
        return sql.getSQLState() == null ? "" : sql.getSQLState();
    }

    private static boolean isConnection(SQLException sql, String state) {
        if (sql instanceof SQLRecoverableException || sql instanceof SQLNonTransientConnectionException || state.startsWith("08")) {
            return true;
        }
        return switch (state) {
            // PostgreSQL: shut down by an administrator, crash, starting up, dropped, too many connections.
            case "57P01", "57P02", "57P03", "57P05", "53300" -> true;
            // H2: connection broken, closed, database closed by others or being shut down.
            case "90067", "90098", "90121", "90007", "90135" -> true;
            // Derby: the system is shut down.
            case "XJ015" -> true;
            default -> switch (sql.getErrorCode()) {
                // MySQL: too many connections, shutdown, lost, gone away, killed. H2 has no such codes.
                case 1040, 1053, 1077, 1079, 1152, 1927, 2002, 2003, 2006, 2013, 2055, 4031 -> isMySqlState(state);
                default -> false;
            };
        };
    }

    private static boolean isTransient(SQLException sql, String state) {
        if (sql instanceof SQLTransientException || state.startsWith("40")) {
            // Constraint violations found at a commit are no accident: 40002 comes again.
            return !state.equals("40002");
        }
        return switch (state) {
            // PostgreSQL: lock not available, object in use, out of memory, disk full, I/O error, cached plan outlived its table.
            case "55P03", "55006", "53000", "53100", "53200", "58030" -> true;
            // Timeouts: ODBC's state, used by H2, and MariaDB's.
            case "HYT00", "HYT01" -> true;
            // H2's concurrent update.
            case "90131" -> true;
            case "0A000" -> String.valueOf(sql.getMessage()).contains("cached plan must not change result type");
            default -> isTransientCode(sql, state);
        };
    }

    private static boolean isTransientCode(SQLException sql, String state) {
        if (sql.getClass().getName().startsWith("org.sqlite.")) {
            // The low byte is the primary code: busy, locked.
            int code = sql.getErrorCode() & 0xff;
            return code == 5 || code == 6;
        }
        return switch (sql.getErrorCode()) {
            // MySQL: lock wait timeout, deadlock, snapshot too old (1412), record changed since last read (1020).
            case 1205, 1213, 1412, 1020 -> isMySqlState(state);
            default -> false;
        };
    }

    /** The states that MySQL and MariaDB give to errors without one of their own, and those of their transactions and connections. */
    private static boolean isMySqlState(String state) {
        return state.isEmpty() || state.equals("HY000") || state.startsWith("08") || state.startsWith("40") || state.startsWith("70");
    }
}
