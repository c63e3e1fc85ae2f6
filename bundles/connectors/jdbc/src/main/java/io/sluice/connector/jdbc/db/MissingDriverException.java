package io.sluice.connector.jdbc.db;

import java.sql.SQLException;

/** No driver for a URL is installed. It may be any moment, so that trying again is not in vain. */
public final class MissingDriverException extends SQLException {

    private static final long serialVersionUID = 1L;

    MissingDriverException(String message) {
        super(message, "08001");
    }
}
