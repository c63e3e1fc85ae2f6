package io.sluice.connector.jdbc.source.column;

import java.time.ZoneId;

/**
 * What the user can choose of the mapping. The keys are explained in the source's configuration type.
 *
 * @param numeric {@code numeric.mapping}
 * @param unscaledScale {@code numeric.unscaled.scale}; negative for text
 * @param temporal {@code temporal.precision}
 * @param zone {@code db.timezone}
 * @param specialValues {@code special.values}
 * @param zeroDates {@code zero.dates}
 * @param unknownTypes {@code unknown.types}
 * @param lobMaxBytes {@code lob.max.bytes}
 * @param lobTooLargeIsNull {@code lob.too.large=null}
 * @param tinyint1IsBoolean {@code tinyint1.as.boolean}
 * @param trimChars {@code char.trim}
 */
public record MappingOptions(Numeric numeric, int unscaledScale, Temporal temporal, ZoneId zone, Special specialValues, ZeroDates zeroDates,
                             Unknown unknownTypes, int lobMaxBytes, boolean lobTooLargeIsNull, boolean tinyint1IsBoolean, boolean trimChars) {

    /** What a decimal number becomes. */
    public enum Numeric { NONE, PRECISION_ONLY, BEST_FIT }

    /** What a time becomes. */
    public enum Temporal { AUTO, MS, MICROS, TEXT }

    /** What becomes of a value that only the database knows. */
    public enum Special { FAIL, NULL }

    /** What becomes of a date that no calendar has. */
    public enum ZeroDates { FAIL, NULL, EPOCH }

    /** What becomes of a column of a type that is not known. */
    public enum Unknown { FAIL, TEXT, SKIP }
}
