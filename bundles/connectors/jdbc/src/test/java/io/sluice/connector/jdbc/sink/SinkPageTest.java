package io.sluice.connector.jdbc.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.openmessaging.internal.DefaultKeyValue;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What docs/jdbc-connectors.md says of the sink. */
class SinkPageTest {

    private static String page() throws Exception {
        String page = Files.readString(Path.of("../../../docs/jdbc-connectors.md"));
        return page.substring(page.indexOf("\n## Sink"));
    }

    private static String row(Method key) {
        Object value = key.getDefaultValue();
        String text = value == null ? "" : !value.getClass().isArray() ? value.toString()
            : IntStream.range(0, Array.getLength(value)).mapToObj(i -> Array.get(value, i).toString()).collect(Collectors.joining(","));
        return "| `" + key.getName().replace('_', '.') + "` | " + (value == null ? "required" : text.isEmpty() ? "" : "`" + text + "`") + " |";
    }

    @Test
    void listsEveryKeyWithItsDefault() throws Exception {
        List<String> missing = new ArrayList<>();
        String page = page().replace("|  |", "| |");
        for (Method key : JdbcSinkConfig.class.getDeclaredMethods()) {
            String row = row(key).replace("|  |", "| |");
            if (!page.contains(row)) {
                missing.add(row);
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void showsAnExampleThatIsValid() throws Exception {
        String example = page().split("```properties\n")[1].split("```")[0];
        DefaultKeyValue config = new DefaultKeyValue();
        Arrays.stream(example.split("\n")).map(line -> line.split("=", 2)).forEach(pair -> config.put(pair[0], pair[1]));
        assertThatCode(() -> new JdbcSinkConnector().validate(config)).doesNotThrowAnyException();
    }
}
