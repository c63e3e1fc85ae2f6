package io.sluice.connector.file.source;

import io.openmessaging.connector.api.data.RecordOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The place in a file that a stored offset speaks of.
 *
 * @param position the byte to go on from
 * @param line how many line ends lie before it
 * @param fileKey what file it was; empty if whoever wrote the offset left it to the path
 * @param fingerprint of the first bytes of that file
 * @param previous files that were at the path before and may still be found under other names
 */
record StoredPlace(long position, long line, Optional<String> fileKey, Optional<Fingerprint> fingerprint, List<Previous> previous) {

    /** A file that has been read to its end. */
    record Previous(String fileKey, Fingerprint fingerprint) {

        static Optional<Previous> parse(String text) {
            int slash = text.lastIndexOf('/');
            return slash < 0 ? Optional.empty()
                : Fingerprint.parse(text.substring(slash + 1)).map(fingerprint -> new Previous(text.substring(0, slash), fingerprint));
        }

        @Override
        public String toString() {
            return fileKey + "/" + fingerprint;
        }
    }

    /** Reads an offset map; empty if it has no position. */
    static Optional<StoredPlace> of(RecordOffset offset) {
        Map<String, ?> map = offset == null || offset.getOffset() == null ? Map.of() : offset.getOffset();
        Optional<Long> position = number(map.get(LineOffset.POSITION));
        return position.map(at -> new StoredPlace(Math.max(0, at), number(map.get(LineOffset.LINE)).orElse(0L),
            text(map.get(LineOffset.FILE_KEY)), text(map.get(LineOffset.FINGERPRINT)).flatMap(Fingerprint::parse),
            text(map.get(LineOffset.PREVIOUS)).stream().flatMap(list -> Arrays.stream(list.split(";")))
                .flatMap(entry -> Previous.parse(entry).stream()).toList()));
    }

    private static Optional<Long> number(Object value) {
        try {
            return value == null ? Optional.empty() : Optional.of(value instanceof Number n ? n.longValue() : Long.parseLong(value.toString().trim()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> text(Object value) {
        return Optional.ofNullable(value).map(Object::toString).filter(text -> !text.isEmpty());
    }
}
