package io.sluice.connector.jdbc.sink.write;

import io.sluice.connector.jdbc.sink.dialect.Sql;

/** What is executed for a row. */
sealed interface Statements {

    /** One statement, which may be sent in batches. */
    record Direct(Sql sql) implements Statements {
    }

    /** An update, or a query if there is nothing to set; and an insert if it has met no row. */
    record UpdateOrInsert(Sql first, boolean query, Sql insert) implements Statements {
    }

    /** Nothing: an update of a row that has only its key. */
    record None() implements Statements {
    }
}
