package io.sluice.connector.jdbc.sink;

import io.sluice.connector.jdbc.db.JdbcUrl;
import io.sluice.connector.jdbc.db.TableName;
import io.sluice.connector.jdbc.sink.SinkOptions.InsertMode;
import io.sluice.connector.jdbc.sink.row.KeyMode;
import io.sluice.connector.jdbc.sink.row.Shapes;
import io.sluice.spi.config.Config;
import io.sluice.spi.config.References;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What has to be true of several keys together, or cannot be said in a key's definition. No database is asked. */
final class ConfigRules {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$?\\{([^}]*)}");

    private final Map<String, String> given;
    private final List<String> problems = new ArrayList<>();

    private ConfigRules(Map<String, String> given) {
        this.given = given;
    }

    /** @return whole sentences: key, value, what is wrong, what would be right */
    static List<String> problems(Map<String, String> given) {
        ConfigRules rules = new ConfigRules(given);
        rules.check();
        return List.copyOf(rules.problems);
    }

    private void check() {
        JdbcSinkConfig config;
        try {
            config = Config.of(given, JdbcSinkConfig.class);
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage());
            return;
        }
        checkUrl(given.get("connection.url"));
        checkZone(config.db_timezone().trim());
        checkTable(config.table_name_format());
        checkWord("nested.values", config.nested_values(), "json", "error");
        boolean exactlyOnce = checkWord("delivery", config.delivery(), "at-least-once", "exactly-once") && config.delivery().trim().equalsIgnoreCase("exactly-once");
        checkWord("quote.sql.identifiers", config.quote_sql_identifiers(), "always", "never");
        if (exactlyOnce && config.offsets_table().trim().equalsIgnoreCase(config.table_name_format().trim())) {
            add("offsets.table", config.offsets_table(), "it is the table for the records too", "name another one");
        }
        boolean knownWords = checkWord("insert.mode", config.insert_mode(), "insert", "upsert", "update")
            & checkWord("pk.mode", config.pk_mode(), "none", "record_key", "record_value", "queue", "kafka");
        if (knownWords && !isReference("insert.mode") && !isReference("pk.mode")) {
            checkModes(config, InsertMode.valueOf(config.insert_mode().trim().toUpperCase(Locale.ROOT)), KeyMode.of(config.pk_mode()));
        }
    }

    private void checkModes(JdbcSinkConfig config, InsertMode insertMode, KeyMode keyMode) {
        List<String> fields = List.of(config.pk_fields());
        if (insertMode != InsertMode.INSERT && keyMode == KeyMode.NONE) {
            add("insert.mode", config.insert_mode(), "pk.mode=none has no key by which to find a row", "set pk.mode to record_key, record_value or queue, or insert.mode=insert");
        }
        if (config.delete_enabled() && keyMode != KeyMode.RECORD_KEY) {
            add("delete.enabled", "true", "pk.mode=" + config.pk_mode() + " has no key when the value is null", "set pk.mode=record_key");
        }
        if (keyMode == KeyMode.QUEUE && !fields.isEmpty() && fields.size() != Shapes.PLACE_COLUMNS.size()) {
            add("pk.fields", String.join(",", fields), "pk.mode=" + config.pk_mode() + " has four columns", "name the columns for topic, broker, queue and offset, or leave it out");
        }
        if (keyMode == KeyMode.NONE && !fields.isEmpty()) {
            add("pk.fields", String.join(",", fields), "pk.mode=none has no key", "leave it out, or set pk.mode to record_key or record_value");
        }
        if (new HashSet<>(fields).size() != fields.size()) {
            add("pk.fields", String.join(",", fields), "it names a field twice", "name each once");
        }
    }

    private void checkUrl(String url) {
        if (url == null || url.isBlank()) {
            problems.add("'connection.url' is missing; it needs a JDBC URL such as jdbc:postgresql://host:5432/sales");
        } else if (!References.contains(url) && !JdbcUrl.isJdbc(url)) {
            add("connection.url", JdbcUrl.masked(url), "it does not begin with jdbc: and the name of a driver", "give a JDBC URL such as jdbc:postgresql://host:5432/sales");
        }
    }

    private void checkZone(String zone) {
        if (isReference("db.timezone")) {
            return;
        }
        try {
            ZoneId.of(zone);
        } catch (DateTimeException e) {
            add("db.timezone", zone, "there is no such zone (" + e.getMessage() + ")", "name one such as UTC, Europe/Berlin or +02:00");
        }
    }

    private void checkTable(String format) {
        if (isReference("table.name.format")) {
            return;
        }
        Matcher matcher = PLACEHOLDER.matcher(format);
        while (matcher.find()) {
            if (!matcher.group(1).equals("topic")) {
                add("table.name.format", format, "there is no placeholder '" + matcher.group() + "'", "use ${topic}");
            }
        }
        try {
            TableName.split(PLACEHOLDER.matcher(format).replaceAll("topic"));
        } catch (IllegalArgumentException e) {
            add("table.name.format", format, e.getMessage(), "give a name such as ${topic} or sales.${topic}");
        }
    }

    private boolean checkWord(String key, String value, String... words) {
        if (isReference(key) || List.of(words).contains(value.trim().toLowerCase(Locale.ROOT))) {
            return true;
        }
        add(key, value, "it is not known", "use one of " + String.join(", ", words));
        return false;
    }

    private boolean isReference(String key) {
        return References.contains(given.get(key));
    }

    private void add(String key, String value, String why, String remedy) {
        problems.add("'" + key + "' cannot be '" + value + "': " + why + "; " + remedy);
    }
}
