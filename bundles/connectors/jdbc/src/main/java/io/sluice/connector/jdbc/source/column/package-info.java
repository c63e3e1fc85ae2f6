/** How the columns of each database become fields of records: one schema and one reader for each column, made once for each shape of result. */
package io.sluice.connector.jdbc.source.column;
