package io.sluice.spi.allocation;

import java.util.Comparator;
import java.util.Objects;

/**
 * What is assigned to a worker as a whole: a connector itself, which computes its task configurations, or one of its tasks.
 *
 * @param connector the connector's name
 * @param task the task's number from 0; -1 for the connector itself
 */
public record Unit(String connector, int task) implements Comparable<Unit> {

    private static final int CONNECTOR = -1;
    private static final String CONNECTOR_WORD = "connector";
    private static final Comparator<Unit> ORDER = Comparator.<Unit, String>comparing(Unit::connector).thenComparingInt(Unit::task);

    public Unit {
        Objects.requireNonNull(connector, "connector");
        if (task < CONNECTOR) {
            throw new IllegalArgumentException("a task's number is not negative: " + task);
        }
    }

    /** The connector itself. */
    public static Unit connector(String name) {
        return new Unit(name, CONNECTOR);
    }

    /** @param number from 0 */
    public static Unit task(String connector, int number) {
        if (number < 0) {
            throw new IllegalArgumentException("a task's number is not negative: " + number);
        }
        return new Unit(connector, number);
    }

    /** The inverse of {@link #text()}. @throws IllegalArgumentException if the text does not come from there */
    public static Unit of(String text) {
        int slash = text.lastIndexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("'" + text + "' is neither a connector nor a task");
        }
        String number = text.substring(slash + 1);
        return number.equals(CONNECTOR_WORD) ? connector(text.substring(0, slash)) : task(text.substring(0, slash), Integer.parseInt(number));
    }

    public boolean isConnector() {
        return task == CONNECTOR;
    }

    /** {@code orders/connector} or {@code orders/3}. */
    public String text() {
        return connector + "/" + (isConnector() ? CONNECTOR_WORD : Integer.toString(task));
    }

    @Override
    public int compareTo(Unit other) {
        return ORDER.compare(this, other);
    }

    @Override
    public int hashCode() {
        return connector.hashCode() * 31 + task;
    }

    @Override
    public String toString() {
        return text();
    }
}
