package io.sluice.connector.file.source;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A hash of the first bytes of a file.
 *
 * @param length how many bytes were hashed
 * @param hash 16 hexadecimal digits
 */
record Fingerprint(int length, String hash) {

    static Fingerprint of(byte[] head, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(head, 0, length);
            return new Fingerprint(length, HexFormat.of().formatHex(Arrays.copyOf(digest.digest(), 8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    static Optional<Fingerprint> parse(String text) {
        int colon = text.indexOf(':');
        try {
            int length = Integer.parseInt(text.substring(0, Math.max(0, colon)));
            return length < 0 || length > Generation.HEAD ? Optional.empty() : Optional.of(new Fingerprint(length, text.substring(colon + 1)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return length + ":" + hash;
    }
}
