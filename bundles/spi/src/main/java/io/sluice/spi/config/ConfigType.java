package io.sluice.spi.config;

/** The type of a configuration key's value. Values travel as text; the type says what text is right. */
public enum ConfigType {
    STRING, PASSWORD, BOOLEAN, INT, LONG, DOUBLE,
    /** Comma-separated text, blanks around the parts dropped. */
    LIST;

    /** True for the types whose range ({@code min}, {@code max}) is a range of numbers. */
    public boolean isNumber() {
        return this == INT || this == LONG || this == DOUBLE;
    }
}
