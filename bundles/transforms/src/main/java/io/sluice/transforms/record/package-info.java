/**
 * What transforms share: the two sides of a record, copies of records and structs, schemas changed once and remembered. Not exported.
 */
package io.sluice.transforms.record;
