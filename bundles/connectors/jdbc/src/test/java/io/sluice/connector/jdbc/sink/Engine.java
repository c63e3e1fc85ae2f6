package io.sluice.connector.jdbc.sink;

import io.sluice.connector.jdbc.testing.TestDatabase;
import io.sluice.connector.jdbc.testing.TestDatabases;
import java.util.function.Supplier;

/** The databases that every test of writing runs on. */
enum Engine {
    POSTGRESQL(TestDatabases::postgres),
    MARIADB(TestDatabases::mariaDb),
    H2(TestDatabases::h2),
    DERBY(TestDatabases::derby),
    SQLITE(TestDatabases::sqlite);

    private final Supplier<TestDatabase> fresh;

    Engine(Supplier<TestDatabase> fresh) {
        this.fresh = fresh;
    }

    /** A new, empty database. */
    TestDatabase fresh() {
        return fresh.get();
    }

    /** A name as statements have it, so that its letters are kept. */
    String quote(String name) {
        String quote = this == MARIADB ? "`" : "\"";
        return quote + name + quote;
    }

    /** A name of a type that this engine has for a short text. */
    String text(int length) {
        return "VARCHAR(" + length + ")";
    }
}
