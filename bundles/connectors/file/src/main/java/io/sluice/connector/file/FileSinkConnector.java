package io.sluice.connector.file;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.task.Task;
import io.openmessaging.connector.api.component.task.sink.SinkConnector;
import io.openmessaging.internal.DefaultKeyValue;
import io.sluice.connector.file.sink.FileSinkTask;
import io.sluice.connector.file.sink.PathTemplate;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import io.sluice.spi.config.Config;
import io.sluice.spi.config.References;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes each record as one line of a text file; each task has files of its own. */
@ConnectPlugin(name = "file-sink", kind = PluginKind.SINK, configuration = FileSinkConfig.class,
    description = "Writes each record as one line of a text file, rolling by size or time")
public final class FileSinkConnector extends SinkConnector {

    /** Task configuration: the number of the task, from 0 on. */
    public static final String TASK_INDEX = "task.index";

    private KeyValue config;

    @Override
    public void validate(KeyValue config) {
        FileSinkConfig typed = Config.of(config, FileSinkConfig.class);
        Problems problems = new Problems();
        String file = config.getString("file", "");
        if (file.isBlank()) {
            problems.add("'file' is missing; name the file to write");
        } else if (!References.contains(file)) {
            checkFile(file, problems);
        }
        problems.checkCharset("charset", typed.charset());
        problems.throwIfAny();
    }

    private static void checkFile(String file, Problems problems) {
        try {
            PathTemplate template = new PathTemplate(file);
            template.unknownPlaceholder().ifPresent(name -> problems.add("file", file, "there is no placeholder '" + name + "'", "use ${topic} and ${task}"));
            Path path = template.resolve("topic", 0);
            if (file.trim().endsWith("/") || Files.isDirectory(path)) {
                problems.add("file", file, "it is a directory", "name a file in it");
            } else if (path.getParent() != null && Files.exists(path.getParent()) && !Files.isDirectory(path.getParent())) {
                problems.add("file", file, path.getParent() + " is no directory", "name a file in a directory");
            }
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
        int tasks = Math.max(1, maxTasks);
        String file = config.getString("file");
        List<KeyValue> configs = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            KeyValue task = new DefaultKeyValue();
            config.keySet().forEach(key -> task.put(key, config.getString(key)));
            task.put("file", tasks > 1 ? PathTemplate.withTask(file) : file);
            task.put(TASK_INDEX, i);
            configs.add(task);
        }
        return configs;
    }

    @Override
    public Class<? extends Task> taskClass() {
        return FileSinkTask.class;
    }

    @Override
    public void stop() {
        config = null;
    }
}
