package io.sluice.connector.jdbc.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;

/** One PostgreSQL server for all tests of a run. */
final class PostgresServer {

    private PostgresServer() {
    }

    /** The server's own database, as its superuser. */
    static TestDatabase admin() {
        return Started.ADMIN;
    }

    private static final class Started {

        static final TestDatabase ADMIN = start();

        private static TestDatabase start() {
            try {
                // Ends with the JVM: the library sees to that. Nothing here has to survive a crash of the machine.
                EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "off")
                    .setServerConfig("max_connections", "60")
                    .setServerConfig("shared_buffers", "32MB")
                    .start();
                return new TestDatabase("jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres", "postgres", "postgres");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
