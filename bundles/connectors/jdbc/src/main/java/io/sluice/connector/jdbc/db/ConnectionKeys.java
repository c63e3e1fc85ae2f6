package io.sluice.connector.jdbc.db;

/**
 * The keys that both JDBC connectors have, as far as a connection is concerned. Their names, types and defaults stand here for the code;
 * the configuration types of the connectors repeat them for people, since one annotation type cannot extend another.
 */
@interface ConnectionKeys {

    String connection_url() default "";

    String connection_user() default "";

    String connection_password() default "";

    int connection_attempts() default ConnectionSettings.ATTEMPTS;

    long connection_backoff_ms() default ConnectionSettings.BACKOFF_MS;

    long connection_timeout_ms() default ConnectionSettings.TIMEOUT_MS;
}
