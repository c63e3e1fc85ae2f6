package io.sluice.connector.jdbc.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.jdbc.testing.TestDatabase;
import io.sluice.connector.jdbc.testing.TestDatabases;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TableNameTest {

    @Property(tries = 500)
    void everyNameIsReadBackFromItsText(@ForAll @Size(min = 1, max = 3) List<@NotEmpty String> parts) {
        TableName name = TableName.of(parts.size() > 2 ? parts.get(parts.size() - 3) : null, parts.size() > 1 ? parts.get(parts.size() - 2) : null,
            parts.get(parts.size() - 1));
        assertThat(TableName.split(name.toString())).isEqualTo(parts);
    }

    @Test
    void partsMayBeQuotedInAnyWay() {
        assertThat(TableName.split("orders")).containsExactly("orders");
        assertThat(TableName.split(" public . orders ")).containsExactly("public", "orders");
        assertThat(TableName.split("\"a.b\".\"c\"\"d\"")).containsExactly("a.b", "c\"d");
        assertThat(TableName.split("`a.b`.[c]]d].e")).containsExactly("a.b", "c]d", "e");
        assertThat(TableName.split("Größe.数据")).containsExactly("Größe", "数据");
    }

    @Test
    void saysWhatIsNoName() {
        assertThatThrownBy(() -> TableName.split("a..b")).hasMessageContaining("a part of it is empty");
        assertThatThrownBy(() -> TableName.split("")).hasMessageContaining("a part of it is empty");
        assertThatThrownBy(() -> TableName.split("\"a")).hasMessageContaining("a quote is not closed");
        assertThatThrownBy(() -> TableName.split("\"a\"b")).hasMessageContaining("after a closing quote comes a dot or nothing");
    }

    @Test
    void quotedNamesMeanTheSameToEveryDatabase() throws SQLException {
        for (TestDatabase test : List.of(TestDatabases.h2(), TestDatabases.derby(), TestDatabases.sqlite(), TestDatabases.postgres(), TestDatabases.mariaDb())) {
            try (Connection connection = test.connect(); var statement = connection.createStatement()) {
                Database database = Database.of(connection);
                TableName name = TableName.of("Order \"x\" `y` größe.1");
                statement.execute("create table " + database.quoted(name) + " (" + database.quoted("select") + " int)");
                statement.execute("insert into " + database.quoted(name) + " values (1)");
                try (var tables = connection.getMetaData().getTables(connection.getCatalog(), null, "Order%", null)) {
                    assertThat(tables.next()).isTrue();
                    TableName found = database.canonical(TableName.of(tables.getString(1), tables.getString(2), tables.getString(3)));
                    assertThat(found.table()).isEqualTo(name.table());
                    try (var rows = statement.executeQuery("select " + database.quoted("select") + " from " + database.quoted(found))) {
                        assertThat(rows.next()).isTrue();
                    }
                }
            }
        }
    }

    @Test
    void twoPartsAreCatalogAndTableOnlyWhereThereAreNoSchemas() throws SQLException {
        try (Connection h2 = TestDatabases.h2().connect(); Connection mariaDb = TestDatabases.mariaDb().connect()) {
            assertThat(Database.of(h2).tableName("a.b")).isEqualTo(new TableName(Optional.empty(), Optional.of("a"), "b"));
            assertThat(Database.of(mariaDb).tableName("a.b")).isEqualTo(new TableName(Optional.of("a"), Optional.empty(), "b"));
            assertThat(Database.of(mariaDb).isMariaDb()).isTrue();
            assertThatThrownBy(() -> Database.of(mariaDb).tableName("a.b.c")).hasMessageContaining("has 3 parts, and at most 2 are possible");
        }
    }
}
