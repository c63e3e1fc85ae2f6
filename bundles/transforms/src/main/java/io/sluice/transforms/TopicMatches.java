package io.sluice.transforms;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import io.sluice.spi.Predicate;
import io.sluice.spi.RecordNames;
import io.sluice.transforms.record.Required;
import java.util.regex.Pattern;

/**
 * True for records whose topic matches a pattern as a whole, with the key and the meaning of Kafka Connect's TopicNameMatches. A record
 * that does not say which topic it belongs to matches nothing.
 */
@ConnectPlugin(name = "topic-matches", kind = PluginKind.PREDICATE, configuration = TopicMatchesConfig.class,
    description = "True for records whose topic matches a pattern")
public class TopicMatches implements Predicate {

    private Pattern pattern;

    @Override
    public void validate(KeyValue config) {
        start(config);
    }

    @Override
    public void start(KeyValue config) {
        try {
            pattern = Required.pattern(config, "pattern");
        } catch (IllegalArgumentException e) {
            throw new ConnectException("topic-matches: " + e.getMessage(), e);
        }
    }

    @Override
    public boolean test(ConnectRecord record) {
        return RecordNames.topicOf(record).filter(topic -> pattern.matcher(topic).matches()).isPresent();
    }

    @Override
    public void stop() {
        // Nothing is held.
    }
}
