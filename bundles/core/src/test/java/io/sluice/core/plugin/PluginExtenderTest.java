package io.sluice.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.plugin.fixture.AngryConverter;
import io.sluice.core.plugin.fixture.ExplodingPredicate;
import io.sluice.core.plugin.fixture.GoodConfig;
import io.sluice.core.plugin.fixture.GoodSource;
import io.sluice.spi.PluginException;
import io.sluice.spi.PluginFactory;
import io.sluice.spi.PluginKind;
import io.sluice.spi.config.ConfigDefinition;
import io.sluice.spi.config.ConfigType;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.felix.framework.FrameworkFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.Version;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.wiring.BundleWiring;

/** The extender in a real framework, with bundles as bnd builds them. */
class PluginExtenderTest {

    @TempDir
    static Path cache;

    private static Framework framework;
    private static BundleContext context;

    private final PluginProblems problems = new PluginProblems();
    private PluginExtender extender;

    @BeforeAll
    static void startFramework() throws Exception {
        framework = new FrameworkFactory().newFramework(Map.of(Constants.FRAMEWORK_STORAGE, cache.toString(),
            Constants.FRAMEWORK_STORAGE_CLEAN, Constants.FRAMEWORK_STORAGE_CLEAN_ONFIRSTINIT,
            Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA, "io.sluice.spi,io.sluice.spi.config,io.openmessaging,io.openmessaging.connector.api.component,"
                + "io.openmessaging.connector.api.component.connector,io.openmessaging.connector.api.component.task,"
                + "io.openmessaging.connector.api.component.task.source,io.openmessaging.connector.api.data",
            "felix.bootdelegation.implicit", "false"));
        framework.start();
        context = framework.getBundleContext();
    }

    @AfterAll
    static void stopFramework() throws Exception {
        framework.stop();
        framework.waitForStop(10_000);
    }

    @BeforeEach
    void openExtender() {
        extender = new PluginExtender(context, problems);
    }

    @AfterEach
    void uninstallAll() throws Exception {
        extender.deactivate();
        for (Bundle bundle : context.getBundles()) {
            if (bundle.getBundleId() != 0) {
                bundle.uninstall();
            }
        }
    }

    private static Bundle install(TestBundle bundle) throws Exception {
        return context.installBundle("test:" + System.nanoTime(), bundle.build());
    }

    private static Bundle start(TestBundle bundle) throws Exception {
        Bundle installed = install(bundle);
        installed.start();
        return installed;
    }

    private static List<ServiceReference<PluginFactory>> services() throws Exception {
        return List.copyOf(context.getServiceReferences(PluginFactory.class, null));
    }

    private static List<String> names() throws Exception {
        return services().stream().map(service -> service.getProperty(PluginFactory.PLUGIN_NAME) + " " + service.getProperty(PluginFactory.PLUGIN_VERSION))
            .sorted().toList();
    }

    private static PluginFactory factory(String name) throws Exception {
        return context.getService(context.getServiceReferences(PluginFactory.class, "(plugin.name=" + name + ")").iterator().next());
    }

    @Test
    void registersAPluginForItsBundleWithAllItsProperties() throws Exception {
        Bundle bundle = start(TestBundle.of("test.good", "1.2.3.q").with(GoodSource.class, GoodConfig.class));
        assertThat(services()).singleElement().satisfies(service -> {
            assertThat(service.getBundle()).isEqualTo(bundle);
            assertThat(Arrays.stream(service.getPropertyKeys()).filter(key -> key.startsWith("plugin.")).toList()).containsExactlyInAnyOrder("plugin.class",
                "plugin.kind", "plugin.name", "plugin.version", "plugin.bundle", "plugin.bundle.id", "plugin.description");
            assertThat(service.getProperty("plugin.class")).isEqualTo(GoodSource.class.getName());
            assertThat(service.getProperty("plugin.kind")).isEqualTo("source");
            assertThat(service.getProperty("plugin.name")).isEqualTo("good-source");
            assertThat(service.getProperty("plugin.version")).isEqualTo(new Version("1.2.3.q"));
            assertThat(service.getProperty("plugin.bundle")).isEqualTo("test.good");
            assertThat(service.getProperty("plugin.bundle.id")).isEqualTo(bundle.getBundleId());
            assertThat(service.getProperty("plugin.description")).isEqualTo("Does nothing, and that well.");
        });
        Object plugin = factory("good-source").create();
        assertThat(plugin.getClass().getName()).isEqualTo(GoodSource.class.getName());
        assertThat(plugin.getClass()).isNotEqualTo(GoodSource.class);
        assertThat(plugin).as("its loader was the context class loader").hasToString("true");
        assertThat(Thread.currentThread().getContextClassLoader()).isNotEqualTo(plugin.getClass().getClassLoader());
        assertThat(problems.all()).isEmpty();
    }

    @Test
    void findsBundlesThatWereThereBefore() throws Exception {
        extender.deactivate();
        start(TestBundle.of("test.good", "1.0.0").with(GoodSource.class));
        assertThat(services()).isEmpty();
        extender = new PluginExtender(context, problems);
        assertThat(names()).containsExactly("good-source 1.0.0");
    }

    @Test
    void servesAFilterMadeFromANeed() throws Exception {
        start(TestBundle.of("test.good", "1.2.0").with(GoodSource.class));
        start(TestBundle.of("test.good", "2.0.0").with(GoodSource.class));
        for (String range : List.of("[1.0,2)", "1.2", "[1.2]", "(,1.9]")) {
            PluginNeed need = new PluginNeed(Set.of(PluginKind.SOURCE), "GoodSource", Optional.of(range));
            assertThat(context.getServiceReferences(PluginFactory.class, need.filter())).as(range).singleElement()
                .satisfies(service -> assertThat(service.getProperty("plugin.version")).isEqualTo(new Version("1.2.0")));
        }
    }

    @Test
    void loadsNothingOfABundleThatWaitsForItsFirstClass() throws Exception {
        Bundle bundle = install(TestBundle.of("test.lazy", "1.0.0").with(GoodSource.class, GoodConfig.class).header(Constants.BUNDLE_ACTIVATIONPOLICY, "lazy"));
        bundle.start(Bundle.START_ACTIVATION_POLICY);
        assertThat(names()).containsExactly("good-source 1.0.0");
        assertThat(factory("good-source").configuration().keys()).isNotEmpty();
        assertThat(bundle.getState()).as("no class was loaded").isEqualTo(Bundle.STARTING);
        factory("good-source").create();
        assertThat(bundle.getState()).isEqualTo(Bundle.ACTIVE);
        assertThat(names()).containsExactly("good-source 1.0.0");
    }

    @Test
    void unregistersBeforeTheBundleHasStopped() throws Exception {
        Bundle bundle = start(TestBundle.of("test.good", "1.0.0").with(GoodSource.class));
        List<Object> seen = new CopyOnWriteArrayList<>();
        Thread caller = Thread.currentThread();
        ServiceListener listener = event -> {
            if (event.getType() == ServiceEvent.UNREGISTERING) {
                seen.add(Thread.currentThread() == caller);
                seen.add(bundle.getState());
                // Whoever uses the plugin can still do so, to let go of it in order.
                seen.add(((PluginFactory) context.getService(event.getServiceReference())).create().toString());
            }
        };
        context.addServiceListener(listener, "(objectClass=" + PluginFactory.class.getName() + ")");
        try {
            bundle.stop();
        } finally {
            context.removeServiceListener(listener);
        }
        assertThat(seen).containsExactly(true, Bundle.STOPPING, "true");
        assertThat(services()).isEmpty();
        bundle.start();
        assertThat(names()).containsExactly("good-source 1.0.0");
    }

    @Test
    void offersTheNewVersionOfABundleThatIsUpdatedInPlace() throws Exception {
        Bundle bundle = start(TestBundle.of("test.good", "1.0.0").with(GoodSource.class));
        Object before = factory("good-source").create();
        bundle.update(TestBundle.of("test.good", "1.1.0").with(GoodSource.class, AngryConverter.class).build());
        assertThat(names()).containsExactly("angry 1.1.0", "good-source 1.1.0");
        assertThat(factory("good-source").create().getClass()).isNotEqualTo(before.getClass());
    }

    @Test
    void reportsWhatIsAnnouncedWronglyAndKeepsTheRest() throws Exception {
        List<PluginProblem> told = new CopyOnWriteArrayList<>();
        problems.listen(told::add);
        String good = GoodSource.class.getName();
        Bundle bundle = start(TestBundle.of("test.wrong", "3.0.0").with(GoodSource.class, AngryConverter.class)
            .announcing("plugin.name=no-class;plugin.kind=source")
            .announcing("plugin.name=odd;plugin.kind=drain;plugin.class=" + good)
            .announcing("plugin.name=absent;plugin.kind=source;plugin.class=org.absent.Source")
            .announcing("plugin.name=angry;plugin.kind=converter;plugin.class=" + good));
        assertThat(names()).containsExactly("angry 3.0.0", "good-source 3.0.0");
        assertThat(problems.all()).isEqualTo(told).allSatisfy(problem -> {
            assertThat(problem.bundle()).isEqualTo("test.wrong");
            assertThat(problem.version()).isEqualTo("3.0.0");
            assertThat(problem.bundleId()).isEqualTo(bundle.getBundleId());
        }).extracting(PluginProblem::message).satisfiesExactlyInAnyOrder(
            message -> assertThat(message).contains("without a 'plugin.class'", "no-class"),
            message -> assertThat(message).contains("'plugin.kind'", good, "'drain'", "SOURCE"),
            message -> assertThat(message).contains("org.absent.Source", "no such class"),
            message -> assertThat(message).contains("'angry'", "is taken by"));
        bundle.stop();
        assertThat(problems.all()).isEmpty();
    }

    @Test
    void turnsWhateverAPluginThrowsIntoAnExceptionThatNamesIt() throws Exception {
        start(TestBundle.of("test.throwing", "1.0.0").with(ExplodingPredicate.class, AngryConverter.class, GoodSource.class)
            .announcing("plugin.name=not-a-transform;plugin.kind=transform;plugin.class=" + GoodSource.class.getName()));
        assertThat(services()).hasSize(4);
        assertThatThrownBy(() -> factory("exploding").create()).isInstanceOf(PluginException.class)
            .hasMessageContainingAll(ExplodingPredicate.class.getName(), "test.throwing 1.0.0", "static initialiser", "not a number")
            .hasCauseInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> factory("exploding").create()).as("the second time").isInstanceOf(PluginException.class)
            .hasMessageContainingAll(ExplodingPredicate.class.getName(), "test.throwing 1.0.0");
        assertThatThrownBy(() -> factory("angry").create()).isInstanceOf(PluginException.class)
            .hasMessageContainingAll(AngryConverter.class.getName(), "test.throwing 1.0.0", "not today").hasCauseInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> factory("not-a-transform").create()).isInstanceOf(PluginException.class)
            .hasMessageContainingAll(GoodSource.class.getName(), "is not a io.openmessaging.connector.api.component.Transform");
        assertThat(factory("good-source").create()).isNotNull();
    }

    @Test
    void readsConfigurationKeysAsTheAnnotationTypeStatesThem() throws Exception {
        start(TestBundle.of("test.good", "1.0.0").with(GoodSource.class, GoodConfig.class));
        ConfigDefinition definition = factory("good-source").configuration();
        assertThat(definition.title()).isEqualTo("Good");
        assertThat(definition.description()).isEqualTo("A plugin for tests.");
        assertThat(definition.keys().keySet()).containsExactly("zone", "batch.max.rows", "poll.interval.ms", "password", "dry.run", "ratio", "small",
            "tables", "mode");
        assertThat(definition.keys().values()).extracting(key -> key.type()).containsExactly(ConfigType.STRING, ConfigType.INT, ConfigType.LONG,
            ConfigType.PASSWORD, ConfigType.BOOLEAN, ConfigType.DOUBLE, ConfigType.INT, ConfigType.LIST, ConfigType.STRING);
        assertThat(definition.keys().values()).extracting(key -> key.defaultValue().orElse(null)).containsExactly(null, "100", "5000000000", "", "true",
            "0.5", "3", "a,b", "new");
        assertThat(definition.key("zone").orElseThrow()).satisfies(key -> {
            assertThat(key.required()).isTrue();
            assertThat(key.title()).isEqualTo("Zone");
            assertThat(key.description()).isEqualTo("Comes first, though its letter is the last.");
        });
        assertThat(definition.key("batch.max.rows").orElseThrow()).satisfies(key -> {
            assertThat(key.required()).isFalse();
            assertThat(key.min()).contains("1");
            assertThat(key.max()).contains("500");
        });
        assertThat(definition.key("mode").orElseThrow().options().entrySet().stream().map(Object::toString)).containsExactly("new=Only new rows",
            "all=All rows", "both=Both");
        assertThat(factory("good-source").configuration()).isSameAs(definition);
    }

    @Test
    void readsForeignMetatypeDocumentsWithTheirTexts() throws Exception {
        start(TestBundle.of("test.foreign", "1.0.0").with(GoodSource.class)
            .announcing("plugin.name=other;plugin.kind=converter;plugin.configuration=some.id;plugin.class=" + GoodSource.class.getName())
            .file("OSGI-INF/metatype/any-name.xml", """
                <metatype:MetaData xmlns:metatype="http://www.osgi.org/xmlns/metatype/v1.2.0" localization="OSGI-INF/l10n/texts">
                  <OCD id="some.id" name="%title"><AD id="a" type="Character" name="%none" default="x"/></OCD>
                </metatype:MetaData>""")
            .file("OSGI-INF/l10n/texts.properties", "title = Gr\\u00fc\\u00dfe"));
        ConfigDefinition definition = factory("other").configuration();
        assertThat(definition.title()).isEqualTo("Grüße");
        assertThat(definition.key("a").orElseThrow()).satisfies(key -> {
            assertThat(key.title()).isEqualTo("none");
            assertThat(key.type()).isEqualTo(ConfigType.STRING);
        });
    }

    @Test
    void reportsConfigurationKeysThatCannotBeRead() throws Exception {
        start(TestBundle.of("test.keyless", "1.0.0").with(GoodSource.class));
        assertThat(factory("good-source").configuration()).isEqualTo(ConfigDefinition.NONE);
        assertThat(problems.all()).singleElement().extracting(PluginProblem::text).asString().contains("test.keyless", GoodConfig.class.getName());
        start(TestBundle.of("test.broken", "1.0.0").with(AngryConverter.class)
            .announcing("plugin.name=broken;plugin.kind=transform;plugin.configuration=some.id;plugin.class=" + AngryConverter.class.getName())
            .file("OSGI-INF/metatype/some.id.xml", "<metatype:MetaData"));
        assertThat(factory("broken").configuration()).isEqualTo(ConfigDefinition.NONE);
        assertThat(problems.all()).hasSize(2).last().extracting(PluginProblem::text).asString().contains("test.broken", "some.id.xml");
    }

    @Test
    void leavesNothingOfABundleBehind() throws Exception {
        WeakReference<ClassLoader> loader = useAndUninstall();
        Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            System.gc();
            assertThat(loader.get()).isNull();
        });
    }

    private WeakReference<ClassLoader> useAndUninstall() throws Exception {
        PluginRegistry registry = new PluginRegistry(problems);
        Bundle bundle = start(TestBundle.of("test.good", "1.0.0").with(GoodSource.class, GoodConfig.class, ExplodingPredicate.class));
        for (ServiceReference<PluginFactory> service : services()) {
            PluginFactory factory = context.getService(service);
            Map<String, Object> properties = Map.of("service.id", service.getProperty("service.id"), "plugin.class", service.getProperty("plugin.class"),
                "plugin.kind", service.getProperty("plugin.kind"), "plugin.version", service.getProperty("plugin.version"));
            registry.addPlugin(factory, properties);
            factory.configuration();
            try {
                factory.create();
            } catch (PluginException e) {
                assertThat(e).hasMessageContaining("Exploding");
            }
            registry.removePlugin(factory, properties);
            context.ungetService(service);
        }
        WeakReference<ClassLoader> loader = new WeakReference<>(bundle.adapt(BundleWiring.class).getClassLoader());
        bundle.uninstall();
        assertThat(services()).isEmpty();
        return loader;
    }
}
