package io.sluice.connector.jdbc.sink;

import io.sluice.connector.jdbc.testing.TestDatabase;
import io.sluice.connector.jdbc.testing.TestDatabases;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;

/** The databases that every test of writing runs on. */
enum Engine {
    POSTGRESQL(TestDatabases::postgres),
    MARIADB(TestDatabases::mariaDb),
    H2(TestDatabases::h2),
    DERBY(TestDatabases::derby),
    SQLITE(TestDatabases::sqlite);

    private final Supplier<TestDatabase> fresh;

    Engine(Supplier<TestDatabase> fresh) {
        this.fresh = fresh;
    }

    /** A new, empty database. */
    TestDatabase fresh() {
        return fresh.get();
    }

    /** A name as statements have it, so that its letters are kept. */
    String quote(String name) {
        String quote = this == MARIADB ? "`" : "\"";
        return quote + name + quote;
    }

    /** A name of a type that this engine has for a short text. */
    String text(int length) {
        return "VARCHAR(" + length + ")";
    }

    /** Whether there is a server, with connections that can be lost. */
    boolean hasServer() {
        return this == POSTGRESQL || this == MARIADB;
    }

    /** Ends all connections to a database but the one that asks; only where there is a server. */
    void killAll(TestDatabase database) throws SQLException {
        if (this == POSTGRESQL) {
            database.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()");
            return;
        }
        for (List<Object> row : database.query("SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()")) {
            database.execute("KILL " + row.get(0));
        }
    }

    /** Whether a statement waits for a lock that another transaction holds; only where there is a server. */
    boolean waitsForALock(TestDatabase database) throws SQLException {
        String sql = this == POSTGRESQL
            ? "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            : "SELECT 1 FROM information_schema.innodb_trx JOIN information_schema.processlist ON id = trx_mysql_thread_id WHERE trx_state = 'LOCK WAIT' AND db = DATABASE()";
        return !database.query(sql).isEmpty();
    }
}
