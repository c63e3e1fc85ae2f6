package io.sluice.connector.file.source;

/** The read buffer that the files of a task hand on to each other: only one of them is read at a time. */
final class SpareBuffer {

    static final int SIZE = 256 * 1024;

    private byte[] spare;

    byte[] take() {
        byte[] taken = spare == null ? new byte[SIZE] : spare;
        spare = null;
        return taken;
    }

    /** Takes a buffer back; one that has grown for a long line is left to the garbage collector. */
    void give(byte[] buffer) {
        if (buffer.length == SIZE) {
            spare = buffer;
        }
    }
}
