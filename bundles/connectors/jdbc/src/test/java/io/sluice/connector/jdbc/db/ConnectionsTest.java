package io.sluice.connector.jdbc.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.jdbc.testing.TestDatabase;
import io.sluice.connector.jdbc.testing.TestDatabases;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ConnectionsTest {

    private static Connections connections(String url, String... more) {
        Map<String, String> config = new LinkedHashMap<>(Map.of("connection.url", url, "connection.backoff.ms", "20"));
        for (int i = 0; i < more.length; i += 2) {
            config.put(more[i], more[i + 1]);
        }
        return new Connections(ConnectionSettings.of(config), "test");
    }

    @Test
    void opensWithUserPasswordAndProperties() throws Exception {
        TestDatabase postgres = TestDatabases.postgres();
        try (Connections connections = connections(postgres.url(), "connection.user", postgres.user(), "connection.password", postgres.password(),
            "connection.property.ApplicationName", "my-application");
             Connection connection = connections.open();
             var row = connection.createStatement().executeQuery("select current_setting('application_name')")) {
            row.next();
            assertThat(row.getString(1)).isEqualTo("my-application");
        }
    }

    @Test
    void namesTheJarThatBringsAMissingDriver() {
        assertThatThrownBy(() -> connections("jdbc:oracle:thin:@//db:1521/x").open()).isInstanceOf(MissingDriverException.class)
            .hasMessage("no JDBC driver for 'jdbc:oracle:' is installed; drop ojdbc11-<version>.jar (com.oracle.database.jdbc:ojdbc11) in the deploy/ folder");
        assertThatThrownBy(() -> connections("jdbc:strange:x").open())
            .hasMessage("no JDBC driver for 'jdbc:strange:' is installed; drop the jar of that database's JDBC driver in the deploy/ folder");
        assertThatThrownBy(() -> connections("http://x").open()).hasMessageContaining("is no JDBC URL");
    }

    @Test
    void triesAgainAsOftenAsItIsTold() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        long begin = System.nanoTime();
        assertThatThrownBy(() -> connections("jdbc:postgresql://127.0.0.1:" + port + "/x", "connection.user", "u", "connection.attempts", "4").open())
            .isInstanceOf(SQLException.class).satisfies(e -> assertThat(SqlErrors.isRetriable(e)).isTrue());
        // 20, 40 and 80 ms of waiting, and up to a fifth more.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(140));
    }

    @Test
    void doesNotTryAgainWithAWrongPassword() {
        TestDatabase mariaDb = TestDatabases.mariaDb();
        long begin = System.nanoTime();
        assertThatThrownBy(() -> connections(mariaDb.url(), "connection.user", "nobody", "connection.attempts", "3", "connection.backoff.ms", "20000").open())
            .isInstanceOf(SQLException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(15));
    }

    @Test
    void givesUpOnAServerThatAcceptsAndIsSilent() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String url = "jdbc:mariadb://127.0.0.1:" + silent.getLocalPort() + "/x";
            assertThatThrownBy(() -> connections(url, "connection.attempts", "1", "connection.timeout.ms", "300").open())
                .isInstanceOf(SQLException.class).satisfies(e -> assertThat(SqlErrors.isRetriable(e)).isTrue());
        }
    }

    @Test
    void closeEndsAnAttemptThatIsUnderWay() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Connections connections = connections("jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/x", "connection.timeout.ms", "60000");
            CompletableFuture<Throwable> end = CompletableFuture.supplyAsync(() -> {
                try {
                    connections.open();
                    return new AssertionError("opened");
                } catch (Exception e) {
                    return e;
                }
            });
            await().until(() -> Thread.getAllStackTraces().keySet().stream().anyMatch(thread -> thread.getName().equals("sluice-jdbc-connect-test")));
            connections.close();
            await().atMost(Duration.ofSeconds(5)).until(end::isDone);
            assertThat(end.join()).isInstanceOf(InterruptedException.class);
            assertThatThrownBy(connections::open).isInstanceOf(InterruptedException.class);
        } catch (CompletionException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void showsNoPasswords() {
        assertThat(JdbcUrl.masked("jdbc:postgresql://u:secret@h/db?user=u&password=secret&ssl=true")).isEqualTo("jdbc:postgresql://u:***@h/db?user=u&password=***&ssl=true");
        assertThat(JdbcUrl.masked("jdbc:h2:mem:x;PASSWORD=secret;USER=sa")).isEqualTo("jdbc:h2:mem:x;PASSWORD=***;USER=sa");
        ConnectionSettings settings = ConnectionSettings.of(Map.of("connection.url", "jdbc:h2:mem:x", "connection.user", "sa", "connection.password", "secret"));
        assertThat(settings.toString()).isEqualTo("jdbc:h2:mem:x as sa");
    }

    @Test
    void defaultsForTheDriverGiveWayToWhatIsGiven() {
        ConnectionSettings settings = ConnectionSettings.of(Map.of("connection.url", "jdbc:mariadb://h/d?useServerPrepStmts=false", "connection.property.TINYINT1ISBIT", "true"))
            .withDefault("useServerPrepStmts", "true").withDefault("tinyInt1isBit", "false").withDefault("socketTimeout", "5");
        assertThat(settings.properties()).isEqualTo(Map.of("TINYINT1ISBIT", "true", "socketTimeout", "5"));
    }
}
