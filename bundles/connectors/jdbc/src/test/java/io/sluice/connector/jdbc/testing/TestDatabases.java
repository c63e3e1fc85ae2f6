package io.sluice.connector.jdbc.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** Gives each caller a new, empty database. */
public final class TestDatabases {

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Path FOLDER = Path.of("target", "databases-" + ProcessHandle.current().pid());

    private TestDatabases() {
    }

    /** A database of the PostgreSQL server. */
    public static TestDatabase postgres() {
        return create(PostgresServer.admin(), "create database %s");
    }

    /** A database of the MariaDB server, in utf8mb4. */
    public static TestDatabase mariaDb() {
        return create(MariaDbServer.admin(), "create database %s character set utf8mb4");
    }

    private static TestDatabase create(TestDatabase admin, String sql) {
        String name = "test_" + COUNT.incrementAndGet();
        try {
            admin.execute(String.format(sql, name));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return new TestDatabase(admin.url().replaceFirst("/[^/?]*(\\?|$)", "/" + name + "$1"), admin.user(), admin.password());
    }

    /** A database in this JVM's memory. */
    public static TestDatabase h2() {
        return new TestDatabase("jdbc:h2:mem:test" + COUNT.incrementAndGet() + ";DB_CLOSE_DELAY=-1", "sa", "");
    }

    /** A schema of the Derby database in this JVM's memory, and a user whose own it is: Derby takes longer than the others to make a database. */
    public static TestDatabase derby() {
        return derbySchema("jdbc:derby:memory:test");
    }

    /** A Derby database of the caller's own, whose properties may be changed. */
    public static TestDatabase ownDerby() {
        return derbySchema("jdbc:derby:memory:test" + COUNT.incrementAndGet());
    }

    private static TestDatabase derbySchema(String url) {
        System.setProperty("derby.stream.error.file", Path.of("target", "derby.log").toString());
        // Two who wait for each other are told after this many seconds, not after 20, or after 60 where Derby does not see it: in its catalogue.
        System.setProperty("derby.locks.deadlockTimeout", "1");
        System.setProperty("derby.locks.waitTimeout", "3");
        String user = "test_" + COUNT.incrementAndGet();
        try (Connection created = DriverManager.getConnection(url + ";create=true"); Statement statement = created.createStatement()) {
            statement.execute("create schema " + user);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return new TestDatabase(url, user, "any");
    }

    /** A file below target/, in WAL mode so that readers and writers do not block each other. */
    public static TestDatabase sqlite() {
        try {
            Files.createDirectories(FOLDER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        TestDatabase database = new TestDatabase("jdbc:sqlite:" + FOLDER.resolve("test" + COUNT.incrementAndGet() + ".db"), "", "");
        try {
            database.execute("pragma journal_mode=wal");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return database;
    }
}
