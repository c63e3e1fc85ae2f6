package io.sluice.shell;

import io.sluice.runtime.ConfigReport;
import io.sluice.runtime.ErrorCode;
import io.sluice.runtime.SluiceException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code connect:validate}. */
@Service
@Command(scope = "connect", name = "validate", description = "Checks a configuration without creating a connector")
public class ValidateCommand extends ConnectAction {

    @Argument(index = 0, name = "plugin", description = "The connector plugin's alias or class name", required = true)
    @Completion(PluginNames.class)
    String plugin;

    @Argument(index = 1, name = "settings", description = "Configuration keys and values, as key=value", multiValued = true)
    List<String> settings;

    @Override
    void run() {
        Map<String, String> config = new LinkedHashMap<>();
        for (String setting : settings == null ? List.<String>of() : settings) {
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw new SluiceException(ErrorCode.BAD_REQUEST, "'" + setting + "' is not a setting; write key=value");
            }
            config.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        ConfigReport report = connect.validate(plugin, config);
        report.problems().forEach(problem -> System.out.println(problem.severity() + ": " + problem.message()));
        if (report.errorCount() > 0) {
            throw new SluiceException(ErrorCode.INVALID_CONFIGURATION, report.errorCount() + " errors");
        }
        System.out.println("the configuration is valid");
    }
}
