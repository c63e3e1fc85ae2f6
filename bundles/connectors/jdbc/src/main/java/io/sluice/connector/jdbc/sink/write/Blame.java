package io.sluice.connector.jdbc.sink.write;

import io.sluice.connector.jdbc.sink.bind.Target;
import io.sluice.connector.jdbc.sink.table.Column;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Tells which column a database's complaint is about: by its words if they name one, else by looking for a value that does not fit. */
final class Blame {

    private Blame() {
    }

    /** @param said what the database has said */
    static Optional<String> column(Row row, String said) {
        String message = withoutStatement(said);
        List<Column> columns = row.plan().table().columns();
        Optional<String> named = columns.stream().map(Column::name).filter(name -> isQuoted(name, message)).findFirst();
        if (named.isPresent()) {
            return named;
        }
        List<Binding> bindings = row.plan().bindings();
        for (int i = 0; i < bindings.size(); i++) {
            if (!fits(bindings.get(i), row.values()[i])) {
                return Optional.of(bindings.get(i).column().name());
            }
        }
        return Optional.empty();
    }

    /** H2 ends its messages with the statement, in which all columns stand. */
    static String withoutStatement(String message) {
        int statement = message == null ? -1 : message.indexOf("; SQL statement:");
        return statement < 0 ? message : message.substring(0, statement);
    }

    /** True if the name stands in quotes, or at the end of a dotted name, as databases write columns in messages. */
    private static boolean isQuoted(String name, String message) {
        String quoted = Pattern.quote(name);
        return message != null && Pattern.compile("[\"'`(]" + quoted + "[\"'` )]|[\"'`.]" + quoted + "(?![\\w.])").matcher(message).find();
    }

    private static boolean fits(Binding binding, Object value) {
        Column column = binding.column();
        if (value == null) {
            return column.nullable();
        }
        if (value instanceof String text && column.size() > 0 && binding.target() == Target.TEXT) {
            return text.codePointCount(0, text.length()) <= column.size();
        }
        if (value instanceof byte[] bytes && column.size() > 0) {
            return bytes.length <= column.size();
        }
        if (binding.target() == Target.WHOLE && (value instanceof Long || value instanceof BigDecimal)) {
            return inRange(column, new BigDecimal(value.toString()));
        }
        if (binding.target() == Target.DECIMAL && column.size() > 0 && (value instanceof Long || value instanceof BigDecimal)) {
            BigDecimal number = new BigDecimal(value.toString()).stripTrailingZeros();
            return number.precision() - number.scale() <= column.size() - column.scale();
        }
        return true;
    }

    private static boolean inRange(Column column, BigDecimal number) {
        int bits = switch (column.jdbcType()) {
            case java.sql.Types.TINYINT -> 8;
            case java.sql.Types.SMALLINT -> 16;
            case java.sql.Types.INTEGER -> 32;
            default -> 64;
        };
        BigDecimal limit = BigDecimal.valueOf(2).pow(bits - 1);
        return number.compareTo(limit) < 0 && number.compareTo(limit.negate()) >= 0;
    }
}
