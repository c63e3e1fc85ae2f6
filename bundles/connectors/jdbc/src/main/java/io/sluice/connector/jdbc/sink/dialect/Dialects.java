package io.sluice.connector.jdbc.sink.dialect;

import io.sluice.connector.jdbc.db.Vendor;
import io.sluice.connector.jdbc.sink.bind.Rules;
import java.util.function.UnaryOperator;

/** Chooses the dialect of a database. */
public final class Dialects {

    private Dialects() {
    }

    /** @param quote makes a column's name fit for a statement */
    public static Dialect of(Vendor vendor, UnaryOperator<String> quote, Rules rules) {
        return switch (vendor) {
            case POSTGRESQL -> new PostgresDialect(quote, rules);
            case MYSQL -> new MySqlDialect(quote, rules);
            case H2 -> new H2Dialect(quote, rules);
            case DERBY -> new DerbyDialect(quote, rules);
            case SQLITE -> new SqliteDialect(quote, rules);
            case GENERIC -> new Dialect(quote, rules);
        };
    }
}
