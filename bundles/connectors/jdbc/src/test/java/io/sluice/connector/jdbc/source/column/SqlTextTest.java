package io.sluice.connector.jdbc.source.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Texts of databases: dates, times and arrays. */
class SqlTextTest {

    @Property(tries = 300)
    void readsEveryTimestampExactly(@ForAll @LongRange(min = -62_135_596_800L, max = 253_402_300_799L) long second, @ForAll @IntRange(min = 0, max = 999_999_999) int nano,
                                    @ForAll @IntRange(min = -57_600, max = 57_600) int offset) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(second, nano, ZoneOffset.UTC);
        String text = String.format("%04d-%02d-%02d %02d:%02d:%02d.%09d", time.getYear(), time.getMonthValue(), time.getDayOfMonth(), time.getHour(), time.getMinute(),
            time.getSecond(), nano);
        assertThat(SqlText.timestamp(text)).isEqualTo(time);
        assertThat(SqlText.date(text.substring(0, 10))).isEqualTo(time.toLocalDate());
        String zone = String.format("%s%02d:%02d:%02d", offset < 0 ? "-" : "+", Math.abs(offset) / 3600, Math.abs(offset) / 60 % 60, Math.abs(offset) % 60);
        assertThat(SqlText.instant(text + zone)).isEqualTo(time.toInstant(ZoneOffset.ofTotalSeconds(offset)));
        assertThat(SqlText.nanosOfTime(text.substring(11))).isEqualTo(time.toLocalTime().toNanoOfDay());
    }

    @Test
    void readsWhatIsOddAboutThem() {
        assertThat(SqlText.date("4713-01-01 BC")).isEqualTo(LocalDate.of(-4712, 1, 1));
        assertThat(SqlText.instant("0001-01-01 00:00:00+00 BC")).isEqualTo(Instant.parse("0000-01-01T00:00:00Z"));
        assertThat(SqlText.instant("294276-12-31 23:59:59.999999+05:30")).isEqualTo(Instant.parse("+294276-12-31T18:29:59.999999Z"));
        assertThat(SqlText.nanosOfTime("-838:59:59.5")).isEqualTo(-3_020_399_500_000_000L);
    }

    @Test
    void refusesWhatIsNoDate() {
        for (String text : List.of("0000-00-00", "2023-02-31", "2023-13-01", "infinity", "", "2023-01-01x", "2023-01-01 BCE")) {
            assertThatThrownBy(() -> SqlText.date(text)).as(text).isInstanceOf(DateTimeException.class);
        }
    }

    @Property(tries = 200)
    void readsArraysAsTheServerWritesThem(@ForAll List<@AlphaChars @Chars({'"', '\\', ',', '{', '}', ' '}) String> elements) {
        StringBuilder text = new StringBuilder("{");
        for (String element : elements) {
            text.append(text.length() == 1 ? "" : ",").append('"').append(element.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
        }
        assertThat(ArrayText.parse(text + "}", element -> element)).isEqualTo(elements);
    }
}
