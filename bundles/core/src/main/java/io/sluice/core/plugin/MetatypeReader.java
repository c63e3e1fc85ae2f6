package io.sluice.core.plugin;

import io.sluice.spi.config.ConfigDefinition;
import io.sluice.spi.config.ConfigKey;
import io.sluice.spi.config.ConfigType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.felix.metatype.AD;
import org.apache.felix.metatype.OCD;
import org.osgi.service.metatype.AttributeDefinition;

/** Says in the runtime's words what a Metatype object class says. */
final class MetatypeReader {

    private final Properties texts;

    private MetatypeReader(Properties texts) {
        this.texts = texts;
    }

    /** @param texts what {@code %key} stands for */
    static ConfigDefinition definition(OCD definition, Properties texts) {
        MetatypeReader reader = new MetatypeReader(texts);
        List<ConfigKey> keys = new ArrayList<>();
        if (definition.getAttributeDefinitions() != null) {
            for (Object attribute : definition.getAttributeDefinitions().values()) {
                keys.add(reader.key((AD) attribute));
            }
        }
        return new ConfigDefinition(reader.text(definition.getName()), reader.text(definition.getDescription()), keys);
    }

    private ConfigKey key(AD attribute) {
        Optional<String> stated = attribute.getDefaultValue() == null ? Optional.empty() : Optional.of(String.join(",", attribute.getDefaultValue()));
        // A key that is not required and has no default of its own has the empty one.
        Optional<String> effective = attribute.isRequired() ? stated : stated.or(() -> Optional.of(""));
        return new ConfigKey(attribute.getID(), type(attribute), effective.isEmpty(), effective, options(attribute),
            Optional.ofNullable(attribute.getMin()), Optional.ofNullable(attribute.getMax()), text(attribute.getName()), text(attribute.getDescription()));
    }

    private static ConfigType type(AD attribute) {
        if (attribute.getCardinality() != 0) {
            return ConfigType.LIST;
        }
        return switch (attribute.getType()) {
            case AttributeDefinition.PASSWORD -> ConfigType.PASSWORD;
            case AttributeDefinition.BOOLEAN -> ConfigType.BOOLEAN;
            case AttributeDefinition.INTEGER, AttributeDefinition.SHORT, AttributeDefinition.BYTE -> ConfigType.INT;
            case AttributeDefinition.LONG -> ConfigType.LONG;
            case AttributeDefinition.DOUBLE, AttributeDefinition.FLOAT -> ConfigType.DOUBLE;
            default -> ConfigType.STRING;
        };
    }

    private Map<String, String> options(AD attribute) {
        Map<String, String> options = new LinkedHashMap<>();
        String[] values = attribute.getOptionValues();
        String[] labels = attribute.getOptionLabels();
        for (int i = 0; values != null && i < values.length; i++) {
            options.put(values[i], labels == null || labels[i] == null ? values[i] : text(labels[i]));
        }
        return options;
    }

    private String text(String text) {
        if (text == null) {
            return "";
        }
        return text.startsWith("%") ? texts.getProperty(text.substring(1), text.substring(1)) : text;
    }
}
