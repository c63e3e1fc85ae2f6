/** Which tables there are to read: those that a configuration selects, found in the database and watched for new ones. */
package io.sluice.connector.jdbc.source.tables;
