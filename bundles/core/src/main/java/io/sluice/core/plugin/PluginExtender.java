package io.sluice.core.plugin;

import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginFactory;
import io.sluice.spi.PluginKind;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.util.tracker.BundleTracker;
import org.osgi.util.tracker.BundleTrackerCustomizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers a {@link PluginFactory} for every plugin that an active bundle announces in its manifest. The services go before the bundle's
 * classes do: the tracker hears synchronously that a bundle is stopping.
 */
@Component(service = {}, immediate = true)
public final class PluginExtender implements BundleTrackerCustomizer<List<ServiceRegistration<PluginFactory>>> {

    private static final Logger LOG = LoggerFactory.getLogger(PluginExtender.class);

    private final BundleTracker<List<ServiceRegistration<PluginFactory>>> tracker;

    @Activate
    public PluginExtender(BundleContext context) {
        tracker = new BundleTracker<>(context, Bundle.ACTIVE, this);
        tracker.open();
    }

    @Deactivate
    void deactivate() {
        tracker.close();
    }

    @Override
    public List<ServiceRegistration<PluginFactory>> addingBundle(Bundle bundle, BundleEvent event) {
        List<ServiceRegistration<PluginFactory>> registrations = new ArrayList<>();
        for (BundleCapability capability : bundle.adapt(BundleRevision.class).getDeclaredCapabilities(ConnectPlugin.NAMESPACE)) {
            try {
                registrations.add(register(bundle, capability.getAttributes()));
            } catch (IllegalArgumentException e) {
                LOG.error("bundle {} {} (id {}) announces a plugin that cannot be used: {}", bundle.getSymbolicName(), bundle.getVersion(),
                    bundle.getBundleId(), e.getMessage());
            }
        }
        return registrations.isEmpty() ? null : registrations;
    }

    private static ServiceRegistration<PluginFactory> register(Bundle bundle, Map<String, Object> attributes) {
        String className = attribute(attributes, PluginFactory.PLUGIN_CLASS)
            .orElseThrow(() -> new IllegalArgumentException("'" + PluginFactory.PLUGIN_CLASS + "' is missing in its capability " + attributes));
        PluginKind kind = attribute(attributes, PluginFactory.PLUGIN_KIND).flatMap(PluginKind::of)
            .orElseThrow(() -> new IllegalArgumentException("'" + PluginFactory.PLUGIN_KIND + "' of " + className + " cannot be '"
                + attributes.get(PluginFactory.PLUGIN_KIND) + "'; it needs one of " + List.of(PluginKind.values())));
        String configuration = attribute(attributes, "plugin.configuration").filter(type -> !type.equals("void")).orElse("");
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put(PluginFactory.PLUGIN_CLASS, className);
        properties.put(PluginFactory.PLUGIN_KIND, kind.word());
        properties.put(PluginFactory.PLUGIN_NAME, attribute(attributes, PluginFactory.PLUGIN_NAME).orElse(className));
        properties.put(PluginFactory.PLUGIN_VERSION, bundle.getVersion());
        properties.put(PluginFactory.PLUGIN_BUNDLE, bundle.getSymbolicName());
        properties.put(PluginFactory.PLUGIN_BUNDLE_ID, bundle.getBundleId());
        attribute(attributes, PluginFactory.PLUGIN_DESCRIPTION).ifPresent(text -> properties.put(PluginFactory.PLUGIN_DESCRIPTION, text));
        return bundle.getBundleContext().registerService(PluginFactory.class, new BundlePluginFactory(bundle, className, configuration), properties);
    }

    private static Optional<String> attribute(Map<String, Object> attributes, String name) {
        return Optional.ofNullable(attributes.get(name)).map(Object::toString).map(String::trim).filter(text -> !text.isEmpty());
    }

    @Override
    public void modifiedBundle(Bundle bundle, BundleEvent event, List<ServiceRegistration<PluginFactory>> registrations) {
        // A bundle that stays ACTIVE keeps its revision and so its plugins.
    }

    @Override
    public void removedBundle(Bundle bundle, BundleEvent event, List<ServiceRegistration<PluginFactory>> registrations) {
        for (ServiceRegistration<PluginFactory> registration : registrations) {
            try {
                registration.unregister();
            } catch (IllegalStateException e) {
                LOG.debug("a plugin of bundle {} was unregistered with its bundle", bundle.getBundleId());
            }
        }
    }
}
