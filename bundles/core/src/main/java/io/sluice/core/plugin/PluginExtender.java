package io.sluice.core.plugin;

import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleWiring;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.util.tracker.BundleTracker;
import org.osgi.util.tracker.BundleTrackerCustomizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers a {@link PluginFactory} for every plugin that a started bundle, or a fragment of it, announces in its manifest. No class of
 * the bundle is loaded for that.
 *
 * <p>The services belong to the plugin's bundle. They go before its classes do: the tracker hears on the stopping thread that the bundle
 * begins to stop, and unregisters them there, so that whoever uses a plugin can let go of it while it still works.
 */
@Component(service = {}, immediate = true)
public final class PluginExtender implements BundleTrackerCustomizer<List<ServiceRegistration<PluginFactory>>> {

    private static final Logger LOG = LoggerFactory.getLogger(PluginExtender.class);

    private final PluginProblems problems;
    private final BundleTracker<List<ServiceRegistration<PluginFactory>>> tracker;

    @Activate
    public PluginExtender(BundleContext context, @Reference PluginProblems problems) {
        this.problems = problems;
        tracker = new BundleTracker<>(context, Bundle.STARTING | Bundle.ACTIVE, this);
        tracker.open();
    }

    @Deactivate
    void deactivate() {
        tracker.close();
    }

    @Override
    public List<ServiceRegistration<PluginFactory>> addingBundle(Bundle bundle, BundleEvent event) {
        if (bundle.getState() == Bundle.STARTING && !waitsForItsFirstClass(bundle)) {
            // Its activator may still fail; it is offered again when it is active.
            return null;
        }
        BundleWiring wiring = bundle.adapt(BundleWiring.class);
        List<BundleCapability> capabilities = wiring == null ? List.of() : wiring.getCapabilities(ConnectPlugin.NAMESPACE);
        if (capabilities.isEmpty()) {
            return null;
        }
        List<ServiceRegistration<PluginFactory>> registrations = new ArrayList<>();
        for (Announcement announcement : readable(bundle, wiring, capabilities)) {
            try {
                registrations.add(bundle.getBundleContext().registerService(PluginFactory.class, new BundlePluginFactory(bundle, wiring, announcement,
                    problem -> problems.report(PluginProblem.of(bundle, problem))), announcement.properties(bundle)));
            } catch (IllegalStateException e) {
                LOG.debug("bundle {} stopped while its plugins were being registered", bundle.getBundleId(), e);
                break;
            }
        }
        return registrations;
    }

    /** True for a bundle with lazy activation: started by whoever started it, it becomes active when its first class is loaded. */
    private static boolean waitsForItsFirstClass(Bundle bundle) {
        String policy = bundle.getHeaders("").get(Constants.BUNDLE_ACTIVATIONPOLICY);
        return policy != null && policy.trim().startsWith(Constants.ACTIVATION_LAZY);
    }

    private List<Announcement> readable(Bundle bundle, BundleWiring wiring, List<BundleCapability> capabilities) {
        List<Announcement> readable = new ArrayList<>();
        for (BundleCapability capability : capabilities) {
            try {
                Announcement announcement = Announcement.of(capability.getAttributes());
                check(announcement, wiring, readable);
                readable.add(announcement);
            } catch (IllegalArgumentException e) {
                problems.report(PluginProblem.of(bundle, e.getMessage()));
            }
        }
        return readable;
    }

    private static void check(Announcement announcement, BundleWiring wiring, List<Announcement> others) {
        if (wiring.getClassLoader().getResource(announcement.className().replace('.', '/') + ".class") == null) {
            throw new IllegalArgumentException("it announces the plugin " + announcement.className() + ", but has no such class");
        }
        Optional<Announcement> other = others.stream().filter(announcement::collidesWith).findFirst();
        if (other.isPresent()) {
            throw new IllegalArgumentException("it announces the plugin " + announcement.className() + " under the name '" + announcement.name()
                + "', which " + (other.get().equals(announcement) ? "it has announced already" : "is taken by its plugin " + other.get().className())
                + "; the second one is left out");
        }
    }

    @Override
    public void modifiedBundle(Bundle bundle, BundleEvent event, List<ServiceRegistration<PluginFactory>> registrations) {
        // From waiting for its first class to active: its plugins are the same.
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
        problems.forget(bundle.getBundleId());
    }
}
