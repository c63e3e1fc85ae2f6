package io.sluice.itests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** NOTICE names every work of others that the distribution ships, and no other, each with a licence that allows that. */
class NoticeIT {

    private static final Pattern LINE = Pattern.compile("  (\\S+\\.jar)  (.+)");

    @Test
    void noticeListsExactlyWhatIsShipped() throws Exception {
        TreeSet<String> shipped = new TreeSet<>();
        Process tar = new ProcessBuilder("tar", "-tzf", System.getProperty("sluice.distribution")).start();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(tar.getInputStream()))) {
            lines.lines().filter(line -> line.endsWith(".jar")).map(line -> line.substring(line.lastIndexOf('/') + 1))
                .filter(jar -> !jar.startsWith("io.sluice.")).forEach(shipped::add);
        }
        assertThat(tar.waitFor()).isZero();
        assertThat(notice().keySet()).as("NOTICE needs a line '  <jar>  <licence>' for each jar of the distribution, and no other").isEqualTo(shipped);
    }

    @Test
    void everyLicenceAllowsShipping() throws IOException {
        assertThat(notice()).allSatisfy((jar, licence) -> assertThat(List.of(licence.split(" or "))).as(jar)
            .anyMatch(choice -> choice.matches("Apache-2.0|MIT|BSD|EPL-[12].0|EDL-1.0|MPL-2.0|CC0-1.0|GPL-2.0-with-classpath-exception")));
    }

    private static Map<String, String> notice() throws IOException {
        Map<String, String> notice = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of(System.getProperty("sluice.root"), "NOTICE"))) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                notice.put(matcher.group(1), matcher.group(2));
            }
        }
        return notice;
    }
}
