package io.sluice.core.worker;

import io.openmessaging.KeyValue;
import io.openmessaging.connector.api.component.Component;
import io.openmessaging.connector.api.component.Transform;
import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.RecordConverter;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaAndValue;
import io.sluice.core.definition.ConnectorConfig;
import io.sluice.core.definition.ConnectorConfig.PredicateStep;
import io.sluice.core.definition.ConnectorConfig.TransformStep;
import io.sluice.spi.PluginFactory;
import io.sluice.spi.Predicate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transforms and converters of one task, in the order of its configuration. Used on the task's thread. Every call into one of them
 * runs with that plugin's class loader.
 */
final class RecordPipeline implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RecordPipeline.class);

    private record Step(Transform<ConnectRecord> transform, ClassLoader loader, Predicate predicate, ClassLoader predicateLoader, boolean negate) { }

    private record Converter(RecordConverter converter, ClassLoader loader) { }

    private final List<Step> steps = new ArrayList<>();
    /** Everything that was started, to be stopped in reverse. */
    private final List<Map.Entry<Component, ClassLoader>> started = new ArrayList<>();
    private Converter keyConverter;
    private Converter valueConverter;

    private RecordPipeline() {
    }

    /**
     * Creates, configures and starts every transform and converter.
     *
     * @param config with references resolved
     * @param plugins by role, see {@link ConnectorConfig#needs}
     * @throws Exception what a plugin threw; then everything that was started has been stopped again
     */
    static RecordPipeline open(ConnectorConfig config, Map<String, PluginFactory> plugins) throws Exception {
        RecordPipeline pipeline = new RecordPipeline();
        try {
            pipeline.keyConverter = converter(config, plugins, ConnectorConfig.KEY_CONVERTER, true);
            pipeline.valueConverter = converter(config, plugins, ConnectorConfig.VALUE_CONVERTER, false);
            for (TransformStep step : config.transforms()) {
                pipeline.add(step, plugins);
            }
            return pipeline;
        } catch (Exception | LinkageError e) {
            pipeline.close();
            throw e;
        }
    }

    private static Converter converter(ConnectorConfig config, Map<String, PluginFactory> plugins, String role, boolean key) throws Exception {
        PluginFactory factory = plugins.get(role);
        Map<String, String> own = new LinkedHashMap<>(config.below(role + "."));
        own.put("isKey", Boolean.toString(key));
        RecordConverter converter = PluginCall.call(factory.classLoader(), () -> {
            RecordConverter created = (RecordConverter) factory.create();
            created.configure(own);
            return created;
        });
        return new Converter(converter, factory.classLoader());
    }

    @SuppressWarnings("unchecked")
    private void add(TransformStep step, Map<String, PluginFactory> plugins) throws Exception {
        Predicate predicate = null;
        ClassLoader predicateLoader = null;
        if (step.predicate().isPresent()) {
            PredicateStep named = step.predicate().get();
            PluginFactory factory = plugins.get(named.role());
            predicate = start(factory, (Predicate) factory.create(), named.config());
            predicateLoader = factory.classLoader();
        }
        PluginFactory factory = plugins.get(step.role());
        Transform<ConnectRecord> transform = start(factory, (Transform<ConnectRecord>) factory.create(), step.config());
        steps.add(new Step(transform, factory.classLoader(), predicate, predicateLoader, step.negate()));
    }

    private <T extends Component> T start(PluginFactory factory, T component, Map<String, String> config) throws Exception {
        KeyValue own = KeyValues.of(config);
        PluginCall.run(factory.classLoader(), () -> {
            component.validate(own);
            component.start(own);
        });
        started.add(Map.entry(component, factory.classLoader()));
        return component;
    }

    /** The record after all transforms; null if one of them dropped it. */
    ConnectRecord transform(ConnectRecord record) throws Exception {
        ConnectRecord current = record;
        for (Step step : steps) {
            ConnectRecord given = current;
            if (step.predicate != null
                && PluginCall.call(step.predicateLoader, () -> step.predicate.test(given)) == step.negate) {
                continue;
            }
            current = PluginCall.call(step.loader, () -> step.transform.doTransform(given));
            if (current == null) {
                return null;
            }
        }
        return current;
    }

    boolean hasTransforms() {
        return !steps.isEmpty();
    }

    byte[] keyToBytes(String topic, Schema schema, Object key) throws Exception {
        return toBytes(keyConverter, topic, schema, key);
    }

    byte[] valueToBytes(String topic, ConnectRecord record) throws Exception {
        return toBytes(valueConverter, topic, record.getSchema(), record.getData());
    }

    private static byte[] toBytes(Converter with, String topic, Schema schema, Object value) throws Exception {
        return PluginCall.call(with.loader, () -> with.converter.fromConnectData(topic, schema, value));
    }

    SchemaAndValue keyFromBytes(String topic, byte[] key) throws Exception {
        return fromBytes(keyConverter, topic, key);
    }

    SchemaAndValue valueFromBytes(String topic, byte[] value) throws Exception {
        return fromBytes(valueConverter, topic, value);
    }

    private static SchemaAndValue fromBytes(Converter with, String topic, byte[] bytes) throws Exception {
        return PluginCall.call(with.loader, () -> with.converter.toConnectData(topic, bytes));
    }

    /** Stops the transforms and predicates, last first. One that throws does not keep the others from being stopped. */
    @Override
    public void close() {
        for (int i = started.size() - 1; i >= 0; i--) {
            Component component = started.get(i).getKey();
            try {
                PluginCall.run(started.get(i).getValue(), component::stop);
            } catch (Exception | LinkageError e) {
                LOG.warn("{} threw while it was being stopped", component.getClass().getName(), e);
            }
        }
        started.clear();
    }
}
