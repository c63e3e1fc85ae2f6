package io.sluice.connector.file;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.Task;
import io.openmessaging.connector.api.component.task.source.SourceConnector;
import io.openmessaging.internal.DefaultKeyValue;
import io.sluice.connector.file.source.FileSelection;
import io.sluice.connector.file.source.FileSourceTask;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import io.sluice.spi.config.Config;
import io.sluice.spi.config.References;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/**
 * Reads text files line by line and follows them through growth, rotation and truncation.
 *
 * <p>Each task knows the whole configuration and its own number among the tasks, and takes its share of the files by itself: single paths
 * in turn, files that match a glob by a hash. So files may come and go without a reconfiguration, and no worker needs to see them
 * before the task that reads them runs.
 */
@ConnectPlugin(name = "file-source", kind = PluginKind.SOURCE, configuration = FileSourceConfig.class,
    description = "Reads text files line by line and follows them as they grow, rotate or are truncated")
public final class FileSourceConnector extends SourceConnector {

    /** Task configuration: the number of the task, from 0 on. */
    public static final String TASK_INDEX = "task.index";
    /** Task configuration: how many tasks share the files. */
    public static final String TASK_COUNT = "task.count";

    private KeyValue config;

    @Override
    public void validate(KeyValue config) {
        FileSourceConfig typed = Config.of(config, FileSourceConfig.class);
        Problems problems = new Problems();
        if (typed.file().isBlank() && typed.files().isBlank()) {
            problems.add("neither 'file' nor 'files' is given; name the files to read");
        }
        problems.checkCharset("charset", typed.charset());
        if (!References.contains(typed.file() + typed.files() + String.join("", typed.files_exclude()))) {
            checkFiles(typed, problems);
        }
        problems.throwIfAny();
    }

    private static void checkFiles(FileSourceConfig typed, Problems problems) {
        try {
            for (Path path : new FileSelection(typed).literals()) {
                if (Files.isDirectory(path)) {
                    problems.add(typed.files().isBlank() ? "file" : "files", path.toString(), "it is a directory", "name a file, or give 'files' = " + path + "/*");
                }
            }
        } catch (PatternSyntaxException e) {
            problems.add("files", e.getPattern(), "it is no glob (" + e.getDescription() + ")", "mend it, or put a backslash before a character that means itself");
        } catch (InvalidPathException e) {
            problems.add("file", e.getInput(), "it is no path (" + e.getReason() + ")", "name a file");
        }
    }

    @Override
    public void start(KeyValue config) {
        validate(config);
        this.config = config;
    }

    @Override
    public List<KeyValue> taskConfigs(int maxTasks) {
        int tasks = Math.max(1, Math.min(maxTasks, maxShares()));
        List<KeyValue> configs = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            KeyValue task = new DefaultKeyValue();
            config.keySet().forEach(key -> task.put(key, config.getString(key)));
            task.put(TASK_INDEX, i);
            task.put(TASK_COUNT, tasks);
            configs.add(task);
        }
        return configs;
    }

    private int maxShares() {
        FileSourceConfig typed = Config.of(config, FileSourceConfig.class);
        // What a reference stands for is known in the tasks only.
        return References.contains(typed.file() + typed.files()) ? Integer.MAX_VALUE : new FileSelection(typed).maxShares();
    }

    @Override
    public Class<? extends Task> taskClass() {
        return FileSourceTask.class;
    }

    @Override
    public void stop() {
        config = null;
    }
}
