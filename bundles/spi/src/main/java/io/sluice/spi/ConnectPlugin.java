package io.sluice.spi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.annotation.bundle.Attribute;
import org.osgi.annotation.bundle.Capability;

/**
 * Marks a public class with a public constructor without arguments as a plugin.
 *
 * <p>At build time bnd turns the annotation into a capability of name space {@value #NAMESPACE} in the bundle's manifest, with the
 * attributes {@code plugin.class}, {@code plugin.name}, {@code plugin.kind}, {@code plugin.description} and
 * {@code plugin.configuration}. At run time an extender reads the manifest and registers one {@link PluginFactory} for each; no class
 * is looked at before somebody asks for an instance.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@Capability(namespace = ConnectPlugin.NAMESPACE, attribute = "plugin.class=${@class}")
public @interface ConnectPlugin {

    /** The name space of the capability. */
    String NAMESPACE = "io.sluice.plugin";

    /** The short alias by which a configuration may name the plugin, such as {@code jdbc-source}; unique in an installation. */
    @Attribute("plugin.name")
    String name();

    /** What the plugin is. */
    @Attribute("plugin.kind")
    PluginKind kind();

    /** One sentence for lists: what it does. */
    @Attribute("plugin.description")
    String description() default "";

    /**
     * The annotation type that defines the plugin's configuration keys: annotated with
     * {@code org.osgi.service.metatype.annotations.ObjectClassDefinition}. {@code void} when the plugin has none.
     */
    @Attribute("plugin.configuration")
    Class<?> configuration() default void.class;
}
