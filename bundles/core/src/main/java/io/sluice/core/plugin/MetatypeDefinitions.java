package io.sluice.core.plugin;

import io.sluice.spi.config.ConfigDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.felix.metatype.MetaData;
import org.apache.felix.metatype.MetaDataReader;
import org.apache.felix.metatype.OCD;
import org.osgi.framework.wiring.BundleWiring;

/**
 * Finds the configuration definition that an annotation type with {@code @ObjectClassDefinition} states, in the Metatype documents that bnd
 * writes into its bundle: {@code OSGI-INF/metatype/*.xml}, where the id of the object class is the name of the type.
 *
 * @see <a href="https://docs.osgi.org/specification/osgi.cmpn/7.0.0/service.metatype.html">Metatype Service Specification</a>
 */
public final class MetatypeDefinitions {

    private static final String FOLDER = "OSGI-INF/metatype/";

    /** Kept with the class itself, so that nothing holds on to it. */
    private static final ClassValue<ConfigDefinition> KNOWN = new ClassValue<>() {
        @Override
        protected ConfigDefinition computeValue(Class<?> type) {
            URL document = type.getClassLoader().getResource(FOLDER + type.getName() + ".xml");
            return document == null ? missing(type.getName()) : read(type.getClassLoader(), document, type.getName()).orElseGet(() -> missing(type.getName()));
        }
    };

    private MetatypeDefinitions() {
    }

    /**
     * The definition that an annotation type states; also for unit tests, on whose class path the type's module lies as bnd has built it.
     *
     * @throws IllegalArgumentException if there is no readable Metatype document for it beside its class
     */
    public static ConfigDefinition of(Class<?> type) {
        return KNOWN.get(type);
    }

    /**
     * The definition for an annotation type's name, from the documents of a bundle and its fragments. No class is loaded.
     *
     * @throws IllegalArgumentException if there is none, or it cannot be read
     */
    static ConfigDefinition of(BundleWiring wiring, String type) {
        List<URL> documents = new ArrayList<>(wiring.findEntries(FOLDER, type + ".xml", 0));
        // bnd names a document after the type, but others need not.
        documents.addAll(wiring.findEntries(FOLDER, "*.xml", 0));
        for (URL document : documents) {
            Optional<ConfigDefinition> found = read(wiring.getClassLoader(), document, type);
            if (found.isPresent()) {
                return found.get();
            }
        }
        return missing(type);
    }

    private static ConfigDefinition missing(String type) {
        throw new IllegalArgumentException("there is no Metatype document for " + type + " in " + FOLDER
            + "; the type needs @ObjectClassDefinition, and its bundle to be built by bnd");
    }

    /** @return empty if the document is about something else */
    private static Optional<ConfigDefinition> read(ClassLoader loader, URL document, String type) {
        MetaData data;
        try (InputStream in = document.openStream()) {
            data = new MetaDataReader().parse(in);
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException("cannot read the Metatype document " + document.getPath() + ": " + e.getMessage(), e);
        }
        // Felix's reader has raw maps.
        Object found = data == null || data.getObjectClassDefinitions() == null ? null : data.getObjectClassDefinitions().get(type);
        try {
            return found instanceof OCD definition ? Optional.of(MetatypeReader.definition(definition, texts(loader, data))) : Optional.empty();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("the Metatype document " + document.getPath() + " says something that cannot be about " + type + ": "
                + e.getMessage(), e);
        }
    }

    /** The texts of the document that it refers to by keys, in the default language. */
    private static Properties texts(ClassLoader loader, MetaData data) {
        Properties texts = new Properties();
        URL source = data.getLocalePrefix() == null ? null : loader.getResource(data.getLocalePrefix() + ".properties");
        if (source != null) {
            try (InputStream in = source.openStream()) {
                texts.load(in);
            } catch (IOException e) {
                throw new IllegalArgumentException("cannot read " + source.getPath() + ": " + e.getMessage(), e);
            }
        }
        return texts;
    }
}
