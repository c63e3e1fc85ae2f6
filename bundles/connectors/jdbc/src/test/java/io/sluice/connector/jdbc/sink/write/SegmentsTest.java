package io.sluice.connector.jdbc.sink.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;
import io.sluice.connector.jdbc.sink.row.Shape;
import io.sluice.connector.jdbc.sink.row.Source;
import io.sluice.connector.jdbc.sink.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SegmentsTest {

    private static final Schema INT64 = SchemaBuilder.int64().build();
    private static final Schema STRING = SchemaBuilder.string().build();

    private final RowPlan upsert = plan("t", INT64, false, true);
    private final RowPlan delete = plan("t", INT64, true, true);
    private final RowPlan insert = plan("t", INT64, false, false);
    private final RowPlan textUpsert = plan("t", STRING, false, true);
    private final RowPlan textDelete = plan("t", STRING, true, true);

    private static RowPlan plan(String table, Schema key, boolean delete, boolean overwrites) {
        Source source = new Source("k", key, Source.From.KEY, null);
        Source value = new Source("v", STRING, Source.From.KEY, null);
        Shape shape = new Shape(table, delete, List.of(source), delete ? List.of() : List.of(value));
        return new RowPlan(shape, new Table(table, List.of(), List.of(), true), List.of(), new Statements.None(), overwrites, null);
    }

    private static Row row(RowPlan plan, Object... values) {
        return new Row(null, plan, values);
    }

    /** Each segment as a letter for what it does and its rows. */
    private static List<String> segments(Row... rows) {
        List<String> texts = new ArrayList<>();
        for (Segments.Segment segment : Segments.of(Arrays.asList(rows))) {
            String verb = segment.plan().shape().delete() ? "delete" : "write";
            texts.add(verb + segment.rows().stream().map(row -> Arrays.toString(row.values())).toList());
        }
        return texts;
    }

    @Test
    void ofRowsThatOverwriteEachOtherOnlyTheLastIsLeft() {
        assertThat(segments(row(upsert, 1L, "a"), row(upsert, 2L, "b"), row(upsert, 1L, "c"))).containsExactly("write[[2, b], [1, c]]");
    }

    @Test
    void insertsAllStay() {
        assertThat(segments(row(insert, 1L, "a"), row(insert, 1L, "b"))).containsExactly("write[[1, a], [1, b]]");
    }

    @Test
    void wholeKeysShareBatchesAsLongAsEachKeyKeepsItsOrder() {
        assertThat(segments(row(upsert, 1L, "a"), row(delete, 2L), row(upsert, 3L, "b"), row(delete, 1L), row(upsert, 2L, "c")))
            .containsExactly("write[[1, a], [3, b]]", "delete[[2], [1]]", "write[[2, c]]");
    }

    @Test
    void otherKeysKeepTheOrderOfAllRows() {
        assertThat(segments(row(textUpsert, "a", 1), row(textDelete, "A"), row(textUpsert, "b", 1), row(textUpsert, "a", 2)))
            .containsExactly("write[[a, 1]]", "delete[[A]]", "write[[b, 1], [a, 2]]");
    }

    @Test
    void wholeKeysDoNotPassOtherKeys() {
        assertThat(segments(row(upsert, 1L, "a"), row(textUpsert, "1", "b"), row(upsert, 1L, "c")))
            .containsExactly("write[[1, a]]", "write[[1, b]]", "write[[1, c]]");
    }

    @Test
    void tablesComeInTheOrderOfTheirFirstRows() {
        RowPlan other = plan("s", INT64, false, true);
        assertThat(segments(row(upsert, 1L, "a"), row(other, 9L, "z"), row(upsert, 2L, "b"))).containsExactly("write[[1, a], [2, b]]", "write[[9, z]]");
    }
}
