/** Real databases for the tests of both connectors: one server of each kind per run, started by the first test that needs it. */
package io.sluice.connector.jdbc.testing;
