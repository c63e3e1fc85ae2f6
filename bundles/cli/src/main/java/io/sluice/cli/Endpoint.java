package io.sluice.cli;

import java.nio.file.Path;

/**
 * Where the worker listens.
 *
 * @param what what listens there, in a word
 * @param file the file that says so
 * @param key the key of the port in that file
 * @param variable the environment variable that sets the port without an edit
 */
record Endpoint(String what, String host, int port, Path file, String key, String variable) { }
