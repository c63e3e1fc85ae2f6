package io.sluice.transforms;

import static io.sluice.transforms.Samples.ROW;
import static io.sluice.transforms.Samples.fromQueue;
import static io.sluice.transforms.Samples.fromSource;
import static io.sluice.transforms.Samples.row;
import static io.sluice.transforms.Samples.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.ConnectRecord;
import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import io.openmessaging.connector.api.data.logical.Timestamp;
import io.openmessaging.connector.api.errors.ConnectException;
import java.util.Date;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InsertFieldTest {

    private static final String[] EVERYTHING = {"topic.field", "t!", "broker.field", "b?", "partition.field", "p", "offset.field", "o!",
        "timestamp.field", "ts", "static.field", "s", "static.value", "fixed"};

    @Test
    void addsAllThatIsKnownOfASinkRecordToItsStruct() {
        InsertField.Value insert = started(new InsertField.Value(), EVERYTHING);
        ConnectRecord record = fromQueue(ROW, row(7, "Ann"));

        ConnectRecord inserted = insert.doTransform(record);

        Struct struct = (Struct) inserted.getData();
        assertThat(inserted.getSchema()).isSameAs(struct.schema());
        assertThat(struct.getValues()).containsExactly(7L, "Ann", "shop-orders", "broker-a", 3, 3_000_000_000L, new Date(1000), "fixed");
        assertThat(struct.schema().getFields()).extracting(Field::getName).containsExactly("id", "name", "t", "b", "p", "o", "ts", "s");
        assertThat(struct.schema().getFields()).extracting(Field::getIndex).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(struct.schema().getFields()).extracting(field -> field.getSchema().isOptional())
            .containsExactly(false, true, false, true, true, false, true, true);
        assertThat(struct.schema().getField("ts").getSchema().getName()).isEqualTo(Timestamp.LOGICAL_NAME);
        assertThat(struct.schema().getName()).isEqualTo("row");
        struct.validate();
        assertThat(ROW.getFields()).hasSize(2);
        assertThat(((Struct) record.getData()).getValues()).hasSize(2);
    }

    @Test
    void makesOneSchemaOfOneSchema() {
        InsertField.Value insert = started(new InsertField.Value(), "static.field", "s", "static.value", "x");
        Schema first = insert.doTransform(fromQueue(ROW, row(1, "a"))).getSchema();
        assertThat(insert.doTransform(fromQueue(ROW, row(2, "b"))).getSchema()).isSameAs(first);
    }

    @Test
    void addsToMapsWhatIsKnown() {
        InsertField.Value insert = started(new InsertField.Value(), "topic.field", "t", "partition.field", "p", "offset.field", "o",
            "timestamp.field", "ts");
        assertThat(insert.doTransform(fromQueue(null, Map.of("id", 7))).getData())
            .isEqualTo(Map.of("id", 7, "t", "shop-orders", "p", 3, "o", 3_000_000_000L, "ts", 1000L));
        assertThat(insert.doTransform(fromSource(null, Map.of("id", 7))).getData())
            .isEqualTo(Map.of("id", 7, "t", "shop-orders", "ts", 1000L));
    }

    @Test
    void refusesRequiredFieldOfWhichNothingIsKnown() {
        InsertField.Value insert = started(new InsertField.Value(), "offset.field", "o!");
        assertThatThrownBy(() -> insert.doTransform(fromSource(ROW, row(7, "Ann"))))
            .isInstanceOf(ConnectException.class)
            .hasMessage("insert-field: topic 'shop-orders', value: field 'o' is required, but the record's queue offset is not known");
    }

    @Test
    void refusesFieldThatIsThereAlready() {
        assertThatThrownBy(() -> started(new InsertField.Value(), "topic.field", "name").doTransform(fromSource(ROW, row(7, "Ann"))))
            .isInstanceOf(ConnectException.class)
            .hasMessage("insert-field: topic 'shop-orders', value: there is a field 'name' already");
    }

    @Test
    void worksOnTheSideThatItsNameSaysAndLeavesNullAlone() {
        InsertField.Key insert = started(new InsertField.Key(), "static.field", "s", "static.value", "x");
        ConnectRecord record = fromQueue(ROW, row(7, "Ann"));
        assertThat(insert.doTransform(record)).isSameAs(record);
        record.setKey(Map.of("k", 1));
        ConnectRecord inserted = insert.doTransform(record);
        assertThat(inserted.getKey()).isEqualTo(Map.of("k", 1, "s", "x"));
        assertThat(inserted.getData()).isSameAs(record.getData());
    }

    @Test
    void refusesConfigurationThatInsertsNothing() {
        assertThatThrownBy(() -> started(new InsertField.Value())).isInstanceOf(ConnectException.class)
            .hasMessageStartingWith("insert-field: there is no field to insert");
        assertThatThrownBy(() -> started(new InsertField.Value(), "static.field", "s")).isInstanceOf(ConnectException.class)
            .hasMessage("insert-field: 'static.value' is missing; it needs the text for 'static.field'");
    }
}
