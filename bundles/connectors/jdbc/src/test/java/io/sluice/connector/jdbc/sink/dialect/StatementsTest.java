package io.sluice.connector.jdbc.sink.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.connector.api.data.SchemaBuilder;
import io.sluice.connector.jdbc.sink.bind.DataProblem;
import io.sluice.connector.jdbc.sink.bind.Rules;
import io.sluice.connector.jdbc.sink.bind.Temporal;
import io.sluice.connector.jdbc.sink.table.NewColumn;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class StatementsTest {

    private static final UnaryOperator<String> QUOTE = name -> '"' + name + '"';
    private static final Rules RULES = new Rules(new Temporal(ZoneOffset.UTC), true);
    private static final List<String> KEY = List.of("id", "Order");
    private static final List<String> VALUES = List.of("größe", "n");

    private final Dialect generic = new Dialect(QUOTE, RULES);
    private final Dialect postgres = new PostgresDialect(QUOTE, RULES);
    private final Dialect mysql = new MySqlDialect(name -> '`' + name + '`', RULES);
    private final Dialect h2 = new H2Dialect(QUOTE, RULES);
    private final Dialect derby = new DerbyDialect(QUOTE, RULES);
    private final Dialect sqlite = new SqliteDialect(QUOTE, RULES);

    @Test
    void insertTakesTheKeyFirst() {
        assertThat(generic.insert("t", KEY, VALUES)).isEqualTo(new Sql("INSERT INTO t (\"id\", \"Order\", \"größe\", \"n\") VALUES (?, ?, ?, ?)", new int[] {0, 1, 2, 3}));
    }

    @Test
    void updateTakesTheKeyLast() {
        assertThat(generic.update("t", KEY, VALUES)).isEqualTo(
            new Sql("UPDATE t SET \"größe\" = ?, \"n\" = ? WHERE \"id\" = ? AND \"Order\" = ?", new int[] {2, 3, 0, 1}));
    }

    @Test
    void deleteAndExistsTakeTheKeyAlone() {
        assertThat(generic.delete("t", KEY)).isEqualTo(new Sql("DELETE FROM t WHERE \"id\" = ? AND \"Order\" = ?", new int[] {0, 1}));
        assertThat(generic.exists("t", KEY)).isEqualTo(new Sql("SELECT 1 FROM t WHERE \"id\" = ? AND \"Order\" = ?", new int[] {0, 1}));
    }

    @Test
    void upsertIsWhatEachDatabaseHas() {
        assertThat(generic.upsert("t", KEY, VALUES)).isEmpty();
        String insert = "INSERT INTO t (\"id\", \"Order\", \"größe\", \"n\") VALUES (?, ?, ?, ?)";
        String onConflict = insert + " ON CONFLICT (\"id\", \"Order\") DO UPDATE SET \"größe\" = EXCLUDED.\"größe\", \"n\" = EXCLUDED.\"n\"";
        assertThat(postgres.upsert("t", KEY, VALUES).orElseThrow().text()).isEqualTo(onConflict);
        assertThat(sqlite.upsert("t", KEY, VALUES).orElseThrow().text()).isEqualTo(onConflict);
        assertThat(mysql.upsert("t", KEY, VALUES).orElseThrow().text()).isEqualTo(
            "INSERT INTO t (`id`, `Order`, `größe`, `n`) VALUES (?, ?, ?, ?) ON DUPLICATE KEY UPDATE `größe` = VALUES(`größe`), `n` = VALUES(`n`)");
        assertThat(h2.upsert("t", KEY, VALUES).orElseThrow().text()).isEqualTo(
            "MERGE INTO t (\"id\", \"Order\", \"größe\", \"n\") KEY (\"id\", \"Order\") VALUES (?, ?, ?, ?)");
        assertThat(derby.upsert("t", KEY, VALUES).orElseThrow()).isEqualTo(new Sql(
            "MERGE INTO t AS t USING SYSIBM.SYSDUMMY1 ON t.\"id\" = ? AND t.\"Order\" = ? WHEN MATCHED THEN UPDATE SET \"größe\" = ?, \"n\" = ?"
                + " WHEN NOT MATCHED THEN INSERT (\"id\", \"Order\", \"größe\", \"n\") VALUES (?, ?, ?, ?)", new int[] {0, 1, 2, 3, 0, 1, 2, 3}));
    }

    @Test
    void upsertOfRowsThatAreOnlyAKeyChangesNothing() {
        assertThat(postgres.upsert("t", KEY, List.of()).orElseThrow().text()).endsWith("ON CONFLICT (\"id\", \"Order\") DO NOTHING");
        assertThat(mysql.upsert("t", KEY, List.of()).orElseThrow().text()).endsWith("ON DUPLICATE KEY UPDATE `id` = VALUES(`id`)");
        assertThat(derby.upsert("t", KEY, List.of()).orElseThrow().text()).doesNotContain("WHEN MATCHED").contains("WHEN NOT MATCHED");
    }

    @Test
    void createMakesTheKeyNotNullAndKeepsDefaults() {
        List<NewColumn> columns = List.of(
            NewColumn.of("id", SchemaBuilder.int64().optional().build(), true),
            NewColumn.of("name", SchemaBuilder.string().required().defaultValue("it's \\ so").build(), false),
            NewColumn.of("at", SchemaBuilder.timestamp().optional().defaultValue(new Date(1_500)).build(), false),
            NewColumn.of("price", SchemaBuilder.decimal(2).required().build(), false));
        assertThat(postgres.createTable("t", columns)).isEqualTo("CREATE TABLE t (\"id\" BIGINT NOT NULL, \"name\" TEXT DEFAULT 'it''s \\ so' NOT NULL, "
            + "\"at\" TIMESTAMP DEFAULT TIMESTAMP '1970-01-01 00:00:01.500', \"price\" NUMERIC NOT NULL, PRIMARY KEY (\"id\"))");
        assertThat(mysql.createTable("t", columns)).isEqualTo("CREATE TABLE t (`id` BIGINT NOT NULL, `name` LONGTEXT CHARACTER SET utf8mb4 DEFAULT ('it''s \\\\ so') NOT NULL, "
            + "`at` DATETIME(3) DEFAULT '1970-01-01 00:00:01.500', `price` DECIMAL(65,2) NOT NULL, PRIMARY KEY (`id`)) DEFAULT CHARACTER SET utf8mb4");
    }

    @Test
    void aColumnIsAddedNullableOrWithADefault() {
        assertThat(generic.addColumn("t", NewColumn.of("a", SchemaBuilder.int32().optional().build(), false))).isEqualTo("ALTER TABLE t ADD \"a\" INTEGER");
        assertThat(generic.addColumn("t", NewColumn.of("a", SchemaBuilder.int32().required().defaultValue(7).build(), false)))
            .isEqualTo("ALTER TABLE t ADD \"a\" INTEGER DEFAULT 7 NOT NULL");
        NewColumn required = NewColumn.of("a", SchemaBuilder.int32().required().build(), false);
        assertThatThrownBy(() -> generic.addColumn("t", required)).isInstanceOf(DataProblem.class).hasMessageContaining("may not be null and has no default");
    }

    @Test
    void nestedValuesBecomeTextOrAreRefused() {
        ValueType map = ValueType.of(SchemaBuilder.map(SchemaBuilder.string().build(), SchemaBuilder.int32().build()).build());
        ValueType list = ValueType.of(SchemaBuilder.array(SchemaBuilder.array(SchemaBuilder.decimal(2).build()).build()).build());
        assertThat(generic.columnType(map, false)).isEqualTo("VARCHAR(4000)");
        assertThat(postgres.columnType(list, false)).isEqualTo("NUMERIC[]");
        assertThat(h2.columnType(list, false)).isEqualTo("NUMERIC(1000,2) ARRAY ARRAY");
        Dialect strict = new Dialect(QUOTE, new Rules(new Temporal(ZoneOffset.UTC), false));
        assertThatThrownBy(() -> strict.columnType(map, false)).isInstanceOf(DataProblem.class).hasMessageContaining("nested.values=json");
    }

    @Test
    void aDecimalThatNoTypeHoldsIsRefused() {
        ValueType wide = ValueType.of(SchemaBuilder.decimal(40).build());
        assertThatThrownBy(() -> derby.columnType(wide, false)).isInstanceOf(DataProblem.class).hasMessageContaining("at most 31 digits");
        assertThat(postgres.columnType(wide, false)).isEqualTo("NUMERIC");
        assertThat(sqlite.columnType(wide, false)).isEqualTo("TEXT");
    }
}
