package io.sluice.connector.jdbc.sink.write;

import io.sluice.connector.jdbc.sink.bind.Conversion;
import io.sluice.connector.jdbc.sink.bind.Target;
import io.sluice.connector.jdbc.sink.row.Source;
import io.sluice.connector.jdbc.sink.table.Column;

/** One column of a plan: where its value comes from and what becomes of it. */
record Binding(Source source, Column column, Target target, Conversion conversion) {
}
