package io.sluice.connector.jdbc.sink.dialect;

import java.util.Arrays;

/**
 * A statement with parameters.
 *
 * @param text the statement
 * @param slots for each parameter in order, which of the row's values it takes: the key's values come first, from 0 on
 */
public record Sql(String text, int[] slots) {

    /** Parameters that take the row's values {@code from} (inclusive) to {@code to} (exclusive). */
    static int[] range(int from, int to) {
        int[] slots = new int[to - from];
        Arrays.setAll(slots, i -> from + i);
        return slots;
    }

    static int[] join(int[]... parts) {
        return Arrays.stream(parts).flatMapToInt(Arrays::stream).toArray();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Sql sql && sql.text.equals(text) && Arrays.equals(sql.slots, slots);
    }

    @Override
    public int hashCode() {
        return text.hashCode() * 31 + Arrays.hashCode(slots);
    }

    @Override
    public String toString() {
        return text + " " + Arrays.toString(slots);
    }
}
