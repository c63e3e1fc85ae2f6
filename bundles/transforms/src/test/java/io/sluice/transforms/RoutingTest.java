package io.sluice.transforms;

import static io.sluice.transforms.Samples.fromQueue;
import static io.sluice.transforms.Samples.fromSource;
import static io.sluice.transforms.Samples.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.spi.RecordNames;
import org.junit.jupiter.api.Test;

class RoutingTest {

    @Test
    void routesRecordsWhoseTopicMatchesAsAWhole() {
        RegexRouter router = started(new RegexRouter(), "regex", "shop-(.*)", "replacement", "eu-$1");
        ConnectRecord record = fromSource(null, "x");
        record.addExtension("kept", "as it is");

        ConnectRecord routed = router.doTransform(record);

        assertThat(routed.getExtension("topic")).isEqualTo("eu-orders");
        assertThat(routed.getExtension("kept")).isEqualTo("as it is");
        assertThat(routed.getData()).isEqualTo("x");
        assertThat(record.getExtension("topic")).isEqualTo("shop-orders");
    }

    @Test
    void sinkRecordKeepsItsPlaceAndGetsATopic() {
        RegexRouter router = started(new RegexRouter(), "regex", "shop-(.*)", "replacement", "$1");
        ConnectRecord record = fromQueue(null, "x");
        ConnectRecord routed = router.doTransform(record);
        assertThat(RecordNames.topicOf(routed)).contains("orders");
        assertThat(routed.getPosition()).isSameAs(record.getPosition());
        assertThat(record.getExtensions()).isNull();
    }

    @Test
    void leavesOtherRecordsAlone() {
        ConnectRecord record = fromSource(null, "x");
        assertThat(started(new RegexRouter(), "regex", "shop", "replacement", "y").doTransform(record)).isSameAs(record);
    }

    @Test
    void refusesWhatCannotBeRouted() {
        RegexRouter router = started(new RegexRouter(), "regex", ".*", "replacement", "$2");
        assertThatThrownBy(() -> router.doTransform(new ConnectRecord(null, null, 0L)))
            .isInstanceOf(ConnectException.class).hasMessageStartingWith("regex-router: the record does not say which topic it belongs to");
        assertThatThrownBy(() -> router.doTransform(fromSource(null, "x")))
            .isInstanceOf(ConnectException.class).hasMessage("regex-router: 'replacement' cannot be '$2' with 'regex' '.*': No group 2");
        assertThatThrownBy(() -> started(new RegexRouter(), "regex", "(", "replacement", "x"))
            .isInstanceOf(ConnectException.class).hasMessageStartingWith("regex-router: 'regex' cannot be '('");
        assertThatThrownBy(() -> started(new RegexRouter(), "regex", "a"))
            .isInstanceOf(ConnectException.class).hasMessage("regex-router: 'replacement' is missing; it needs the new topic");
    }

    @Test
    void predicateMatchesTheTopicAsAWhole() {
        TopicMatches matches = started(new TopicMatches(), "pattern", "shop-.*");
        assertThat(matches.test(fromSource(null, "x"))).isTrue();
        assertThat(matches.test(fromQueue(null, "x"))).isTrue();
        assertThat(started(new TopicMatches(), "pattern", "orders").test(fromQueue(null, "x"))).isFalse();
        assertThat(matches.test(new ConnectRecord(null, null, 0L))).isFalse();
        assertThatThrownBy(() -> started(new TopicMatches())).isInstanceOf(ConnectException.class)
            .hasMessage("topic-matches: 'pattern' is missing; it needs a regular expression");
    }
}
