package io.sluice.connector.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.errors.ConnectException;
import io.openmessaging.internal.DefaultKeyValue;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileConnectorsTest {

    @TempDir
    Path directory;

    private static KeyValue config(Object... keysAndValues) {
        KeyValue config = new DefaultKeyValue();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            config.put(keysAndValues[i].toString(), keysAndValues[i + 1].toString());
        }
        return config;
    }

    @Test
    void sourceSaysAllThatIsWrongAndWhatWouldBeRight() {
        FileSourceConnector source = new FileSourceConnector();
        assertThatThrownBy(() -> source.validate(config("charset", "UTF-99"))).isInstanceOf(ConnectException.class)
            .hasMessage("neither 'file' nor 'files' is given; name the files to read. "
                + "'charset' cannot be 'UTF-99': this Java runtime does not know it; name another charset, such as UTF-8");
        assertThatThrownBy(() -> source.validate(config("file", directory)))
            .hasMessage("'file' cannot be '" + directory + "': it is a directory; name a file, or give 'files' = " + directory + "/*");
        assertThatThrownBy(() -> source.validate(config("files", "/logs/{a,b"))).hasMessageContaining("'files' cannot be").hasMessageContaining("it is no glob");
        assertThatThrownBy(() -> source.validate(config("file", "a", "charset", "x-JISAutoDetect"))).hasMessageContaining("line ends cannot be told");
    }

    @Test
    void sourceAcceptsFilesThatAreNotThereYetAndReferences() {
        FileSourceConnector source = new FileSourceConnector();
        assertThatCode(() -> source.validate(config("file", directory.resolve("later/app.log")))).doesNotThrowAnyException();
        assertThatCode(() -> source.validate(config("file", "$[env:LOG_FILE]", "charset", "${file:x:y}"))).doesNotThrowAnyException();
    }

    @Test
    void sourceGivesNoMoreTasksThanCanHaveWork() {
        FileSourceConnector source = new FileSourceConnector();
        source.start(config("files", "/logs/a.log,/logs/a.log.1,/logs/b.log", "topic", "t"));
        assertThat(source.taskConfigs(5)).hasSize(2).allMatch(task -> task.getString("topic").equals("t"));
        source.start(config("files", "/logs/*.log"));
        assertThat(source.taskConfigs(5)).hasSize(5);
    }

    @Test
    void sinkSaysWhatIsWrong() throws Exception {
        FileSinkConnector sink = new FileSinkConnector();
        assertThatThrownBy(() -> sink.validate(config("format", "json"))).hasMessage("'file' is missing; name the file to write");
        assertThatThrownBy(() -> sink.validate(config("file", directory))).hasMessage("'file' cannot be '" + directory + "': it is a directory; name a file in it");
        assertThatThrownBy(() -> sink.validate(config("file", "/out/${date}.log")))
            .hasMessage("'file' cannot be '/out/${date}.log': there is no placeholder '${date}'; use ${topic} and ${task}");
        Path file = Files.createFile(directory.resolve("plain"));
        assertThatThrownBy(() -> sink.validate(config("file", file + "/out.log"))).hasMessageContaining(file + " is no directory");
        assertThatCode(() -> sink.validate(config("file", directory + "/new/${topic}-{task}.log"))).doesNotThrowAnyException();
    }

    @Test
    void sinkGivesEachOfSeveralTasksAFileOfItsOwn() {
        FileSinkConnector sink = new FileSinkConnector();
        sink.start(config("file", "/out.d/app.log"));
        assertThat(sink.taskConfigs(1)).extracting(task -> task.getString("file")).containsExactly("/out.d/app.log");
        assertThat(sink.taskConfigs(2)).extracting(task -> task.getString("file")).containsOnly("/out.d/app-${task}.log");
        sink.start(config("file", "/out.d/{task}/app"));
        assertThat(sink.taskConfigs(2)).extracting(task -> task.getString("file")).containsOnly("/out.d/{task}/app");
        sink.start(config("file", "/out.d/app"));
        assertThat(sink.taskConfigs(2)).extracting(task -> task.getString("file")).containsOnly("/out.d/app-${task}");
    }
}
