/**
 * What both JDBC connectors need of a database: its driver, connections to it, what kind of database it is, how its names are written and
 * which of its errors pass by themselves.
 */
package io.sluice.connector.jdbc.db;
