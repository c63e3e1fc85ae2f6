package io.sluice.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.runtime.SluiceException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RouterTest {

    private final Router router = new Router()
        .add("GET", "/connectors", Role.VIEWER, call -> null)
        .add("GET", "/connectors/{name}/tasks/{task}/status", Role.VIEWER, call -> null)
        .add("PUT", "/connectors/{name}/config", Role.ADMIN, call -> null);

    @Test
    void findsByMethodAndPathAndDecodesNames() {
        Router.Match match = router.find("GET", "/connectors/a%20b+c%2Fd/tasks/0/status").orElseThrow();
        assertThat(match.values()).isEqualTo(Map.of("name", "a b+c/d", "task", "0"));
        assertThat(router.find("HEAD", "/connectors/")).isPresent();
        assertThat(router.find("POST", "/connectors")).isEmpty();
        assertThat(router.methods("/connectors/x/config")).containsExactly("PUT");
        assertThat(router.methods("/nowhere")).isEmpty();
    }

    @Test
    void refusesAMalformedEscape() {
        assertThatThrownBy(() -> router.find("PUT", "/connectors/%zz/config")).isInstanceOf(SluiceException.class);
    }

    @Test
    void rolesIncludeEachOther() {
        assertThat(Role.ADMIN.includes(Role.OPERATOR)).isTrue();
        assertThat(Role.VIEWER.includes(Role.OPERATOR)).isFalse();
        assertThat(Role.of("manager")).isEqualTo(Role.OPERATOR);
        assertThat(Role.of("ssh")).isNull();
    }

    private static Map<String, String> config(String body) throws IOException {
        return Json.config(Json.object(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void takesNumbersAndTruthValuesAsTheirText() throws IOException {
        assertThat(config("{\"a\":1,\"b\":true,\"c\":\"x\"}")).isEqualTo(Map.of("a", "1", "b", "true", "c", "x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{\"a\":1,\"a\":2}", "{\"a\":{}}", "{\"a\":null}", "{\"a\":1} x", "{\"a\":", "\"text\"", "{\"a\":\"\u0001\"}"})
    void refusesBodiesThatAreNotAFlatObject(String body) {
        assertThatThrownBy(() -> config(body)).isInstanceOf(SluiceException.class).hasMessageStartingWith("Bad Request: ");
    }

    @Test
    void refusesABodyThatIsTooLarge() {
        String body = "{\"a\":\"" + "x".repeat(Json.MAX_BODY_BYTES) + "\"}";
        assertThatThrownBy(() -> config(body)).isInstanceOf(SluiceException.class).hasMessageContaining("larger than");
    }
}
