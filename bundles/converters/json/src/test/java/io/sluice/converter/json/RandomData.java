package io.sluice.converter.json;

import io.openmessaging.connector.api.data.Field;
import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.Struct;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/** Schemas of every type and values that fit them, all from one seed. */
final class RandomData {

    private static final int DEEPEST = 4;
    private static final String[] NAMES = {"id", "name", "a.b", "with \"quote\"", "\u00fcml\u00e4ut", "schema", "payload", "", "\ud83d\ude00", "back\\slash"};
    private static final long DAY = 86_400_000;

    private final Random random;
    private boolean insideKey;

    RandomData(long seed) {
        random = new Random(seed);
    }

    Schema schema() {
        return schema(0);
    }

    private Schema keySchema(int depth) {
        boolean outer = insideKey;
        insideKey = true;
        Schema schema = schema(depth);
        insideKey = outer;
        return schema;
    }

    private Schema schema(int depth) {
        int kind = random.nextInt(depth >= DEEPEST ? 13 : 20);
        boolean optional = random.nextBoolean();
        String name = random.nextInt(4) == 0 ? "some.Name" : null;
        Integer version = random.nextInt(4) == 0 ? random.nextInt(100) : null;
        String doc = random.nextInt(4) == 0 ? text() : null;
        Map<String, String> parameters = random.nextInt(4) == 0 ? new LinkedHashMap<>(Map.of("p", text())) : null;
        Schema schema = switch (kind) {
            case 0 -> plain(FieldType.BOOLEAN, name, optional, version, doc, parameters);
            case 1 -> plain(FieldType.INT8, name, optional, version, doc, parameters);
            case 2 -> plain(FieldType.INT16, name, optional, version, doc, parameters);
            case 3 -> plain(FieldType.INT32, name, optional, version, doc, parameters);
            case 4 -> plain(FieldType.INT64, name, optional, version, doc, parameters);
            case 5 -> plain(FieldType.FLOAT32, name, optional, version, doc, parameters);
            case 6 -> plain(FieldType.FLOAT64, name, optional, version, doc, parameters);
            case 7 -> plain(FieldType.STRING, name, optional, version, doc, parameters);
            case 8 -> plain(FieldType.BYTES, name, optional, version, doc, parameters);
            case 9 -> plain(FieldType.BYTES, LogicalType.DECIMAL.openMessagingName(), optional, 1, doc,
                new LinkedHashMap<>(Map.of("scale", String.valueOf(random.nextInt(36) - 5))));
            case 10 -> plain(FieldType.INT32, LogicalType.DATE.openMessagingName(), optional, 1, doc, null);
            case 11 -> plain(FieldType.INT32, LogicalType.TIME.openMessagingName(), optional, 1, doc, null);
            case 12 -> plain(FieldType.INT64, LogicalType.TIMESTAMP.openMessagingName(), optional, 1, doc, null);
            case 13, 14 -> new Schema(name, FieldType.ARRAY, optional, null, version, doc, null, null, schema(depth + 1), parameters);
            case 15, 16 -> new Schema(name, FieldType.MAP, optional, null, version, doc, null, keySchema(depth + 2), schema(depth + 1), parameters);
            default -> struct(depth, name, optional, version, doc, parameters);
        };
        if (random.nextInt(4) == 0 && !(insideKey && schema.getFieldType() == FieldType.STRUCT)) {
            schema.setDefaultValue(present(schema));
        }
        return schema;
    }

    private static Schema plain(FieldType type, String name, boolean optional, Integer version, String doc, Map<String, String> parameters) {
        return new Schema(name, type, optional, null, version, doc, null, null, null, parameters);
    }

    private Schema struct(int depth, String name, boolean optional, Integer version, String doc, Map<String, String> parameters) {
        List<Field> fields = new ArrayList<>();
        for (String field : NAMES) {
            if (random.nextInt(2) == 0) {
                fields.add(new Field(fields.size(), field, schema(depth + 1)));
            }
        }
        return new Schema(name, FieldType.STRUCT, optional, null, version, doc, fields, null, null, parameters);
    }

    /** A value for {@code schema}, null now and then where that is allowed. */
    Object value(Schema schema) {
        boolean mayBeNull = schema.isOptional() || schema.getDefaultValue() != null;
        return mayBeNull && random.nextInt(4) == 0 ? null : present(schema);
    }

    private Object present(Schema schema) {
        LogicalType logical = LogicalType.of(schema.getFieldType(), schema.getName()).orElse(null);
        if (logical != null) {
            return switch (logical) {
                case DECIMAL -> new BigDecimal(new BigInteger(random.nextInt(200) + 1, random), Integer.parseInt(schema.getParameters().get("scale")))
                    .multiply(random.nextBoolean() ? BigDecimal.ONE : BigDecimal.ONE.negate());
                case DATE -> new Date(random.nextInt() * DAY);
                case TIME -> new Date((long) (random.nextDouble() * (DAY + 1)));
                case TIMESTAMP -> new Date(integer());
            };
        }
        return switch (schema.getFieldType()) {
            case BOOLEAN -> random.nextBoolean();
            case INT8 -> (byte) integer();
            case INT16 -> (short) integer();
            case INT32 -> (int) integer();
            case INT64, DATETIME -> integer();
            case FLOAT32 -> oneOf(() -> Float.intBitsToFloat(random.nextInt()), () -> random.nextFloat() * 100, () -> -0f, () -> 16777217f);
            case FLOAT64 -> floating();
            case STRING -> text();
            case BYTES -> random.nextBoolean() ? bytes() : ByteBuffer.wrap(bytes());
            case ARRAY -> list(() -> value(schema.getValueSchema()));
            case MAP -> map(schema);
            case STRUCT -> {
                Struct struct = new Struct(schema);
                schema.getFields().forEach(field -> struct.getValues()[field.getIndex()] = value(field.getSchema()));
                yield struct;
            }
        };
    }

    /** A value that needs no schema. */
    Object freeForm(int depth) {
        return switch (random.nextInt(depth >= DEEPEST ? 6 : 8)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> integer();
            case 3 -> finite();
            case 4 -> text();
            case 5 -> random.nextBoolean()
                ? new BigInteger(100, random).setBit(80)
                : new BigDecimal("1.2345678901234567890123456789").movePointRight(random.nextInt(20) - 10);
            case 6 -> list(() -> freeForm(depth + 1));
            default -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    map.put(text(), freeForm(depth + 1));
                }
                yield map;
            }
        };
    }

    private Map<Object, Object> map(Schema schema) {
        Map<Object, Object> map = new LinkedHashMap<>();
        // Keys that differ only in a null and the default that it stands for would be one key after a round trip.
        Set<Object> taken = new HashSet<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            Object key = value(schema.getKeySchema());
            Object value = value(schema.getValueSchema());
            if (taken.add(Canonical.of(schema.getKeySchema(), key, true))) {
                map.put(key, value);
            }
        }
        return map;
    }

    private List<Object> list(Supplier<Object> item) {
        List<Object> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            list.add(item.get());
        }
        return list;
    }

    private long integer() {
        return oneOf(random::nextLong, () -> (long) random.nextInt(), () -> (long) random.nextInt(200) - 100,
            () -> Long.MAX_VALUE, () -> Long.MIN_VALUE, () -> (1L << 53) + 1);
    }

    private double floating() {
        return oneOf(() -> Double.longBitsToDouble(random.nextLong()), () -> Double.NaN, () -> Double.NEGATIVE_INFINITY, this::finite);
    }

    private double finite() {
        double bits = Double.longBitsToDouble(random.nextLong());
        return oneOf(() -> Double.isFinite(bits) ? bits : 0.1, () -> random.nextInt(100_000) / 100.0, () -> -0.0, () -> Double.MIN_VALUE,
            () -> Double.MAX_VALUE, () -> random.nextDouble());
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        return bytes;
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            // Halves of surrogate pairs are among them: no text, but a Java string may hold them and JSON has an escape for them.
            int point = oneOf(() -> random.nextInt(128), () -> 0xd800 + random.nextInt(0x800), () -> random.nextInt(0x3000), () -> 0x10000 + random.nextInt(0x10000), () -> (int) '"');
            text.appendCodePoint(point);
        }
        return text.toString();
    }

    @SafeVarargs
    private <T> T oneOf(Supplier<T>... choices) {
        return choices[random.nextInt(choices.length)].get();
    }
}
