package io.sluice.transforms;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.Transform;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import io.sluice.spi.RecordNames;
import io.sluice.transforms.record.Records;
import io.sluice.transforms.record.Required;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Changes the topic of records whose topic matches a pattern as a whole, with the keys and the meaning of Kafka Connect's RegexRouter.
 *
 * <p>The new topic stands in the record's extension {@value RecordNames#TOPIC_EXTENSION}: a source record goes there, a sink takes it
 * for the record's topic (see {@link RecordNames#topicOf}). Where the record was read from, and so what is committed, does not change.
 */
@ConnectPlugin(name = "regex-router", kind = PluginKind.TRANSFORM, configuration = RegexRouterConfig.class,
    description = "Changes the topic of records whose topic matches a pattern")
public class RegexRouter implements Transform<ConnectRecord> {

    private Pattern regex;
    private String replacement;

    @Override
    public void validate(KeyValue config) {
        start(config);
    }

    @Override
    public void start(KeyValue config) {
        try {
            regex = Required.pattern(config, "regex");
            replacement = Required.text(config, "replacement", "the new topic");
        } catch (IllegalArgumentException e) {
            throw new ConnectException("regex-router: " + e.getMessage(), e);
        }
    }

    @Override
    public ConnectRecord doTransform(ConnectRecord record) {
        String topic = RecordNames.topicOf(record).orElseThrow(() -> new ConnectException(
            "regex-router: the record does not say which topic it belongs to, so that it cannot be routed by it"));
        Matcher matcher = regex.matcher(topic);
        return matcher.matches() ? Records.withExtension(record, RecordNames.TOPIC_EXTENSION, replaced(matcher)) : record;
    }

    private String replaced(Matcher matcher) {
        try {
            return matcher.replaceFirst(replacement);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new ConnectException("regex-router: 'replacement' cannot be '" + replacement + "' with 'regex' '" + regex + "': "
                + e.getMessage(), e);
        }
    }

    @Override
    public void stop() {
        // Nothing is held.
    }
}
