package io.sluice.connector.jdbc.source.column;

import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaBuilder;

/**
 * How one column becomes a field.
 *
 * @param schema the field's
 * @param reader gives values of that schema
 */
record ColumnMapping(Schema schema, ColumnReader reader) {

    static ColumnMapping of(SchemaBuilder schema, boolean nullable, ColumnReader reader) {
        return new ColumnMapping((nullable ? schema.optional() : schema.required()).build(), reader);
    }
}
