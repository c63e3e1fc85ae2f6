package io.sluice.connector.file.source;

import java.nio.file.attribute.BasicFileAttributes;

/**
 * Tells one file from another whatever its name is.
 *
 * @param key the file key of the file system (device and inode), or the time of creation where there is none
 */
record FileId(String key) {

    static FileId of(BasicFileAttributes attributes) {
        Object key = attributes.fileKey();
        return new FileId(key != null ? key.toString() : "created=" + attributes.creationTime().toMillis());
    }

    /** True if this is the file with the stored key; the number of the device may have changed since, as it does when a machine restarts. */
    boolean isStoredAs(String storedKey) {
        return inode(key).equals(inode(storedKey));
    }

    private static String inode(String key) {
        int at = key.indexOf("ino");
        return at < 0 ? key : key.substring(at);
    }

    @Override
    public String toString() {
        return key;
    }
}
