package io.sluice.connector.file.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Finds line ends in bytes. All indexes must lie on the units of the encoding. Immutable. */
public final class LineEndFinder {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private final LineEnd mode;
    private final int unit;
    private final byte[] lf;
    private final byte[] cr;

    public LineEndFinder(LineEnd mode, TextEncoding encoding) {
        this.mode = mode;
        unit = encoding.unit();
        lf = encoding.encode("\n");
        cr = encoding.encode("\r");
    }

    /**
     * The index of the unit that ends the first line end at or after {@code from}; for a line end of two units this is the second,
     * but for {@link LineEnd#ANY} the first. -1 if there is none before {@code to}.
     *
     * @param start where the line begins: nothing before it is looked at
     */
    public int find(byte[] bytes, int start, int from, int to) {
        return switch (mode) {
            case AUTO, LF -> indexOf(bytes, lf, from, to);
            case CR -> indexOf(bytes, cr, from, to);
            case ANY -> indexOfEither(bytes, from, to);
            case CRLF -> {
                int i = indexOf(bytes, lf, from, to);
                while (i >= 0 && !(i - unit >= start && isCr(bytes, i - unit))) {
                    i = indexOf(bytes, lf, i + unit, to);
                }
                yield i;
            }
        };
    }

    public boolean isLf(byte[] bytes, int index) {
        return isUnit(bytes, lf, index);
    }

    public boolean isCr(byte[] bytes, int index) {
        return isUnit(bytes, cr, index);
    }

    /** True if a line ends right before {@code to}; the two units before it are looked at, as far as they are at or after {@code from}. */
    public boolean endsLine(byte[] bytes, int from, int to) {
        int last = to - unit;
        if (last < from) {
            return false;
        }
        return switch (mode) {
            case AUTO, LF -> isLf(bytes, last);
            case CR -> isCr(bytes, last);
            case ANY -> isLf(bytes, last) || isCr(bytes, last);
            case CRLF -> isLf(bytes, last) && last - unit >= from && isCr(bytes, last - unit);
        };
    }

    private boolean isUnit(byte[] bytes, byte[] pattern, int index) {
        return unit == 1 ? bytes[index] == pattern[0] : Arrays.equals(bytes, index, index + unit, pattern, 0, unit);
    }

    private int indexOf(byte[] bytes, byte[] pattern, int from, int to) {
        if (unit == 1) {
            return indexOf(bytes, pattern[0], pattern[0], from, to);
        }
        for (int i = from; i + unit <= to; i += unit) {
            if (isUnit(bytes, pattern, i)) {
                return i;
            }
        }
        return -1;
    }

    private int indexOfEither(byte[] bytes, int from, int to) {
        if (unit == 1) {
            return indexOf(bytes, lf[0], cr[0], from, to);
        }
        for (int i = from; i + unit <= to; i += unit) {
            if (isLf(bytes, i) || isCr(bytes, i)) {
                return i;
            }
        }
        return -1;
    }

    /** Eight bytes at a time: a byte that equals the one looked for is zero after the exclusive or, and only zeros borrow. */
    private static int indexOf(byte[] bytes, byte one, byte other, int from, int to) {
        long ones = (one & 0xFF) * ONES;
        long others = (other & 0xFF) * ONES;
        int i = from;
        for (; i + Long.BYTES <= to; i += Long.BYTES) {
            long word = (long) LONGS.get(bytes, i);
            long a = word ^ ones;
            long found = (a - ONES) & ~a & HIGH_BITS;
            if (one != other) {
                long b = word ^ others;
                found |= (b - ONES) & ~b & HIGH_BITS;
            }
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        for (; i < to; i++) {
            if (bytes[i] == one || bytes[i] == other) {
                return i;
            }
        }
        return -1;
    }
}
