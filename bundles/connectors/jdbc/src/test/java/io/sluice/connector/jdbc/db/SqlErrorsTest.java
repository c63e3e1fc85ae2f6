package io.sluice.connector.jdbc.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.connector.jdbc.db.SqlErrors.Kind;
import io.sluice.connector.jdbc.testing.TestDatabase;
import io.sluice.connector.jdbc.testing.TestDatabases;
import java.net.ConnectException;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SqlErrorsTest {

    private static SQLException failureOf(TestDatabase database, String sql) {
        try {
            database.execute(sql);
        } catch (SQLException e) {
            return e;
        }
        throw new AssertionError("no failure: " + sql);
    }

    @Test
    void classStateAndCauseTellWhatPasses() {
        assertThat(SqlErrors.kind(new SQLTransientConnectionException("x"))).isEqualTo(Kind.TRANSIENT);
        assertThat(SqlErrors.kind(new SQLException("x", "08006"))).isEqualTo(Kind.CONNECTION);
        assertThat(SqlErrors.kind(new SQLTransactionRollbackException("x", "40001"))).isEqualTo(Kind.TRANSIENT);
        assertThat(SqlErrors.kind(new SQLException("x", "57P01"))).isEqualTo(Kind.CONNECTION);
        assertThat(SqlErrors.kind(new RuntimeException(new SQLException(new ConnectException("refused"))))).isEqualTo(Kind.CONNECTION);
        assertThat(SqlErrors.kind(new SQLException("Lock wait timeout", "HY000", 1205))).isEqualTo(Kind.TRANSIENT);
        assertThat(SqlErrors.kind(new SQLException("one of another database", "42000", 1205))).isEqualTo(Kind.PERMANENT);
        assertThat(SqlErrors.kind(new SQLSyntaxErrorException("x", "42000"))).isEqualTo(Kind.PERMANENT);
        assertThat(SqlErrors.kind(new SQLIntegrityConstraintViolationException("x", "23000"))).isEqualTo(Kind.PERMANENT);
        assertThat(SqlErrors.kind(new IllegalStateException())).isEqualTo(Kind.PERMANENT);
    }

    @Test
    void looksAtNextExceptionsAndSurvivesRings() {
        SQLException batch = new BatchUpdateException("batch", new int[0]);
        SQLException deadlock = new SQLException("deadlock", "40P01");
        batch.setNextException(deadlock);
        assertThat(SqlErrors.kind(batch)).isEqualTo(Kind.TRANSIENT);
        SQLException one = new SQLException("one");
        one.initCause(new SQLException("two", one));
        assertThat(SqlErrors.kind(one)).isEqualTo(Kind.PERMANENT);
    }

    @Test
    void aWrongPasswordDoesNotPass() throws SQLException {
        TestDatabase postgres = TestDatabases.postgres();
        TestDatabase mariaDb = TestDatabases.mariaDb();
        TestDatabase h2 = TestDatabases.h2();
        h2.execute("create table t (id int)");
        for (TestDatabase database : List.of(new TestDatabase(postgres.url(), "nobody", "wrong"), new TestDatabase(mariaDb.url(), "nobody", "wrong"),
            new TestDatabase(h2.url(), "nobody", "wrong"))) {
            SQLException failure = failureOf(database, "select 1");
            assertThat(SqlErrors.kind(failure)).as(database.url() + " " + failure.getSQLState() + " " + failure).isEqualTo(Kind.PERMANENT);
        }
    }

    @Test
    void mistakesInSqlDoNotPass() throws SQLException {
        for (TestDatabase database : List.of(TestDatabases.h2(), TestDatabases.derby(), TestDatabases.sqlite(), TestDatabases.postgres(), TestDatabases.mariaDb())) {
            assertThat(SqlErrors.kind(failureOf(database, "select nothing from nowhere"))).as(database.url()).isEqualTo(Kind.PERMANENT);
            database.execute("create table t (id int not null primary key)", "insert into t values (1)");
            assertThat(SqlErrors.kind(failureOf(database, "insert into t values (1)"))).as(database.url()).isEqualTo(Kind.PERMANENT);
        }
    }

    @Test
    void killedConnectionsAreLost() throws SQLException {
        TestDatabase postgres = TestDatabases.postgres();
        TestDatabase mariaDb = TestDatabases.mariaDb();
        Map<TestDatabase, List<String>> kills = Map.of(postgres, List.of("select pg_backend_pid()", "select pg_terminate_backend(%s)"),
            mariaDb, List.of("select connection_id()", "kill %s"));
        for (var kill : kills.entrySet()) {
            try (Connection victim = kill.getKey().connect(); Statement statement = victim.createStatement()) {
                String id;
                try (var row = statement.executeQuery(kill.getValue().get(0))) {
                    row.next();
                    id = row.getString(1);
                }
                kill.getKey().execute(String.format(kill.getValue().get(1), id));
                SQLException failure = assertThrows(SQLException.class, () -> {
                    for (int i = 0; i < 100; i++) {
                        statement.execute("select 1");
                    }
                });
                assertThat(SqlErrors.kind(failure)).as(failure.getSQLState() + " " + failure).isEqualTo(Kind.CONNECTION);
            }
        }
    }

    @Test
    void locksHeldByOthersPass() throws SQLException {
        Map<TestDatabase, String> impatience = Map.of(TestDatabases.postgres(), "set lock_timeout = 100", TestDatabases.mariaDb(), "set innodb_lock_wait_timeout = 1",
            TestDatabases.h2(), "set lock_timeout 100", TestDatabases.sqlite(), "pragma busy_timeout = 100",
            TestDatabases.ownDerby(), "call syscs_util.syscs_set_database_property('derby.locks.waitTimeout', '1')");
        for (var each : impatience.entrySet()) {
            each.getKey().execute("create table t (id int not null primary key, v int)", "insert into t values (1, 1)");
            try (Connection holder = each.getKey().connect(); Connection waiter = each.getKey().connect(); Statement statement = waiter.createStatement()) {
                statement.execute(each.getValue());
                holder.setAutoCommit(false);
                try (Statement holding = holder.createStatement()) {
                    holding.execute("update t set v = 2 where id = 1");
                    SQLException failure = assertThrows(SQLException.class,
                        () -> statement.execute("update t set v = 3 where id = 1"));
                    assertThat(SqlErrors.kind(failure)).as(each.getKey().url() + " " + failure.getSQLState() + " " + failure.getErrorCode() + " " + failure)
                        .isEqualTo(Kind.TRANSIENT);
                }
                holder.rollback();
            }
        }
    }
}
