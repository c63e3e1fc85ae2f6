/** The part of {@code bin/sluice} that is written in Java: the check of ports before a start, the wait for a start, and the way into the shell. */
package io.sluice.cli;
