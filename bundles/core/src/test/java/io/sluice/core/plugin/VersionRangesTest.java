package io.sluice.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.Version;

class VersionRangesTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "latest         | 0.0.0 7.1.2.x                    |",
        "1.2.0          | 1.2.0                            | 1.2.1 1.1.9 1.2.0.x",
        "1.2            | 1.2.0                            | 1.2.1",
        "1.2.3-SNAPSHOT | 1.2.3.SNAPSHOT                   | 1.2.3",
        "1.2-rc1        | 1.2.0.rc1                        | 1.2.0",
        "[1.2]          | 1.2.0                            | 1.2.1",
        "[1.2,2)        | 1.2.0 1.9.9 1.2.0.x              | 2.0.0 1.1.0",
        "( 1.2 , 2.0 ]  | 1.2.1 2.0.0                      | 1.2.0 2.0.1",
        "(,2.0]         | 0.0.0 2.0.0                      | 2.0.1",
        "[1.5,)         | 1.5.0 99.0.0                     | 1.4.9",
        "(,1),(2,3]     | 0.9.0 2.1.0 3.0.0                | 1.0.0 2.0.0 3.0.1",
        "[1.0] , [1.2]  | 1.0.0 1.2.0                      | 1.1.0"})
    void acceptsVersionsAndFiltersThemAlike(String range, String right, String wrong) throws Exception {
        check(range, right, true);
        if (wrong != null) {
            check(range, wrong, false);
        }
    }

    private static void check(String range, String versions, boolean expected) throws Exception {
        VersionRanges ranges = VersionRanges.of(range);
        for (String text : versions.trim().split(" ")) {
            Version version = new Version(text);
            assertThat(ranges.includes(version)).as("%s includes %s", range, version).isEqualTo(expected);
            assertThat(FrameworkUtil.createFilter(ranges.filter("plugin.version")).matches(Map.of("plugin.version", version)))
                .as("%s for %s", ranges.filter("plugin.version"), version).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "newest", "[1.2", "1.2]", "[]", "[1,2,3]", "(1.2)", "[1,2)x", "[1,2)[3,4)", "[1,2),", "1.2.3.4.5", "[1.x,2)", "99999999999",
        "1.0*", "[1,2)(plugin.version=*)"})
    void refusesWhatIsNoRange(String text) {
        assertThatThrownBy(() -> VersionRanges.of(text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'" + text + "'");
    }
}
