package io.sluice.core.plugin;

import io.sluice.spi.config.ConfigDefinition;
import io.sluice.spi.config.ConfigKey;
import io.sluice.spi.config.ConfigType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.felix.metatype.AD;
import org.apache.felix.metatype.MetaData;
import org.apache.felix.metatype.MetaDataReader;
import org.apache.felix.metatype.OCD;
import org.osgi.service.metatype.AttributeDefinition;

/**
 * Reads configuration definitions from the Metatype documents that bnd writes into a bundle for every annotation type with
 * {@code @ObjectClassDefinition}: {@code OSGI-INF/metatype/<type>.xml}.
 *
 * @see <a href="https://docs.osgi.org/specification/osgi.cmpn/7.0.0/service.metatype.html">Metatype Service Specification</a>
 */
public final class MetatypeDefinitions {

    private static final String FOLDER = "OSGI-INF/metatype/";

    private MetatypeDefinitions() {
    }

    /**
     * The definition that an annotation type states.
     *
     * @throws IllegalArgumentException if the type's bundle has no Metatype document for it
     */
    public static ConfigDefinition of(Class<?> type) {
        return of(type.getName(), type.getClassLoader().getResource(path(type.getName())));
    }

    /** The path inside a bundle of the document for an annotation type. */
    static String path(String type) {
        return FOLDER + type + ".xml";
    }

    /**
     * The definition in a document.
     *
     * @param type the annotation type, which is the id of the object class
     * @param document where it is; null if there is none
     */
    static ConfigDefinition of(String type, URL document) {
        if (document == null) {
            throw new IllegalArgumentException("there is no " + path(type)
                + "; the annotation type needs @ObjectClassDefinition, and the bundle to be built by bnd");
        }
        MetaData data;
        try (InputStream in = document.openStream()) {
            data = new MetaDataReader().parse(in);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + document, e);
        }
        // Felix's reader has raw maps.
        OCD found = data == null || data.getObjectClassDefinitions() == null ? null : (OCD) data.getObjectClassDefinitions().get(type);
        if (found == null) {
            throw new IllegalArgumentException(document + " does not define " + type);
        }
        List<ConfigKey> keys = new ArrayList<>();
        if (found.getAttributeDefinitions() != null) {
            for (Object attribute : found.getAttributeDefinitions().values()) {
                keys.add(key((AD) attribute));
            }
        }
        return new ConfigDefinition(text(found.getName()), text(found.getDescription()), keys);
    }

    private static ConfigKey key(AD attribute) {
        Optional<String> defaultValue = attribute.getDefaultValue() == null ? Optional.empty() : Optional.of(String.join(",", attribute.getDefaultValue()));
        // A key that is not required and has no default of its own has the empty one.
        Optional<String> effective = attribute.isRequired() ? defaultValue : defaultValue.or(() -> Optional.of(""));
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

    private static Map<String, String> options(AD attribute) {
        Map<String, String> options = new LinkedHashMap<>();
        String[] values = attribute.getOptionValues();
        String[] labels = attribute.getOptionLabels();
        for (int i = 0; values != null && i < values.length; i++) {
            options.put(values[i], labels == null || labels[i] == null ? values[i] : labels[i]);
        }
        return options;
    }

    private static String text(String text) {
        return text == null ? "" : text;
    }
}
