package io.sluice.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.spi.PluginFactory;
import io.sluice.spi.PluginKind;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.Version;

class PluginNeedTest {

    private static final Map<String, Object> PLUGIN = Map.of(PluginFactory.PLUGIN_CLASS, "org.x.JdbcSource", PluginFactory.PLUGIN_NAME, "jdbc-source",
        PluginFactory.PLUGIN_KIND, "source", PluginFactory.PLUGIN_VERSION, new Version("1.4.0.x"));

    private static void check(boolean expected, String name, String range, PluginKind... kinds) throws Exception {
        PluginNeed need = new PluginNeed(Set.of(kinds), name, Optional.ofNullable(range));
        assertThat(need.matches(PLUGIN)).as("matches %s", need).isEqualTo(expected);
        assertThat(FrameworkUtil.createFilter(need.filter()).matches(PLUGIN)).as("filter %s", need.filter()).isEqualTo(expected);
    }

    @Test
    void filterAndMatchAgree() throws Exception {
        check(true, "jdbc-source", null, PluginKind.SOURCE);
        check(true, "org.x.JdbcSource", null, PluginKind.SINK, PluginKind.SOURCE);
        check(true, "JdbcSource", "[1.4,2)", PluginKind.SOURCE);
        check(false, "JdbcSource", "[2,3)", PluginKind.SOURCE);
        check(false, "JdbcSource", "1.4.0", PluginKind.SOURCE);
        check(true, "JdbcSource", "1.4.0.x", PluginKind.SOURCE);
        check(false, "jdbc-source", null, PluginKind.TRANSFORM);
        check(false, "dbcSource", null, PluginKind.SOURCE);
        check(false, "*", null, PluginKind.SOURCE);
        check(false, "a)(plugin.name=*", null, PluginKind.SOURCE);
    }

    @Test
    void refusesAMalformedRange() {
        assertThatThrownBy(() -> new PluginNeed(Set.of(PluginKind.SOURCE), "x", Optional.of("newest"))).isInstanceOf(IllegalArgumentException.class);
    }
}
