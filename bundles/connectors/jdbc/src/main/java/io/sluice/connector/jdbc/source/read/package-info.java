/** Reads one table or query at a time: what to ask for, where it stands, and what happens when the connection goes. */
package io.sluice.connector.jdbc.source.read;
