package io.sluice.converter.json;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.SerializedString;
import io.openmessaging.connector.api.data.RecordConverter;
import io.openmessaging.connector.api.data.Schema;
import io.openmessaging.connector.api.data.SchemaAndValue;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import io.sluice.spi.data.SchemaCache;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Records as JSON: with their schema in the envelope {@code {"schema":...,"payload":...}} that users of Kafka Connect and RocketMQ
 * Connect know, or the value alone ({@code schemas.enable=false}).
 *
 * <p>With a schema, what is written is read again as it was, except that byte buffers come back as byte arrays, {@code DATETIME} as a
 * timestamp, and a null in a field with a default as that default ({@code replace.null.with.default=false} keeps it). NaN and the
 * infinities, for which JSON has no numbers, are written as the strings {@code "NaN"}, {@code "Infinity"} and {@code "-Infinity"} and
 * read back from them. A decimal gets the scale of its schema if that drops no digits, and is refused otherwise, as is a number that
 * its type cannot hold. Without a schema, see {@link FreeForm}.
 *
 * <p>A null value with a null schema is no document but null, in both directions. What does not fit is a {@link ConnectException} that
 * names topic, path and what was expected, but shows nothing of the record. Schemas are remembered by identity and must not change
 * once records with them were converted. Thread-safe once configured.
 *
 * @see <a href="https://kafka.apache.org/documentation/#connect">Kafka Connect, whose JsonConverter defines the format</a>
 */
@ConnectPlugin(name = "json", kind = PluginKind.CONVERTER, configuration = JsonConverterConfig.class,
    description = "JSON, with the schema in an envelope or without")
public class JsonConverter implements RecordConverter {

    private static final SerializedString SCHEMA = new SerializedString(SchemaNames.SCHEMA);
    private static final SerializedString PAYLOAD = new SerializedString(SchemaNames.PAYLOAD);
    private static final int LONGEST_NUMBER = 100_000;

    private final JsonFactory factory = JsonFactory.builder()
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
        .enable(StreamReadFeature.USE_FAST_BIG_NUMBER_PARSER)
        .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
        // The broker bounds the size of a message; a map's key or a text may take all of it.
        .streamReadConstraints(StreamReadConstraints.builder().maxNumberLength(LONGEST_NUMBER)
            .maxStringLength(Integer.MAX_VALUE).maxNameLength(Integer.MAX_VALUE).build())
        .build();

    private Settings settings;
    private SchemaCache<Prepared> prepared;
    private FreeForm freeForm;
    private EnvelopeReader envelopes;

    /** What is made of a schema once: its JSON, null if schemas are not written, and the codec of its values. */
    private record Prepared(SerializedString json, Codec codec) {
    }

    public JsonConverter() {
        configure(Map.of());
    }

    @Override
    public final void configure(Map<String, ?> configs) {
        settings = Settings.of(configs);
        prepared = new SchemaCache<>(settings.cacheSize(), this::prepare);
        freeForm = new FreeForm(schema -> prepared.get(schema).codec());
        envelopes = new EnvelopeReader(factory, freeForm, settings);
    }

    @Override
    public byte[] fromConnectData(String topic, Schema schema, Object value) {
        if (schema == null && value == null) {
            return null;
        }
        OutputBuffer buffer = new OutputBuffer();
        try (JsonGenerator out = factory.createGenerator(buffer, JsonEncoding.UTF8)) {
            Prepared known = schema == null ? null : prepared.get(schema);
            if (settings.schemas()) {
                out.writeStartObject();
                out.writeFieldName(SCHEMA);
                if (known == null) {
                    out.writeNull();
                } else {
                    out.writeRawValue(known.json);
                }
                out.writeFieldName(PAYLOAD);
            }
            if (known == null) {
                freeForm.write(out, value);
            } else {
                known.codec.write(out, value);
            }
            if (settings.schemas()) {
                out.writeEndObject();
            }
        } catch (DataProblem e) {
            throw failure(topic, e);
        } catch (JsonProcessingException e) {
            DataProblem problem = DataProblem.unwritable(e);
            throw failure(topic, settings.schemas() ? problem.insideEnvelope() : problem);
        } catch (IOException e) {
            throw failure(topic, new DataProblem("cannot write JSON into memory", e));
        }
        return buffer.toBytes();
    }

    @Override
    public SchemaAndValue toConnectData(String topic, byte[] document) {
        if (document == null) {
            return SchemaAndValue.NULL;
        }
        try {
            requireUtf8(document);
            if (settings.schemas()) {
                return envelopes.read(document);
            }
            try (JsonParser in = factory.createParser(document)) {
                if (in.nextToken() == null) {
                    throw DataProblem.expected("a value", in.currentToken());
                }
                Object value = freeForm.read(in);
                EnvelopeReader.expectEnd(in);
                return new SchemaAndValue(null, value);
            }
        } catch (DataProblem e) {
            throw failure(topic, e);
        } catch (JsonProcessingException e) {
            throw failure(topic, DataProblem.syntax(e));
        } catch (IOException e) {
            throw failure(topic, new DataProblem("cannot read JSON from memory", e));
        }
    }

    /** The parser would guess UTF-16 and UTF-32, but nothing that writes records uses them, and places in them are not counted in bytes. */
    private static void requireUtf8(byte[] document) {
        boolean other = document.length > 1
            && (document[0] == 0 || document[1] == 0 || (document[0] & 0xff) >= 0xfe && (document[1] & 0xff) >= 0xfe);
        if (other) {
            throw new DataProblem("expected JSON in UTF-8, found another encoding");
        }
    }

    private Prepared prepare(Schema schema) {
        Codec codec = Codecs.of(schema, settings);
        if (!settings.schemas()) {
            return new Prepared(null, codec);
        }
        OutputBuffer buffer = new OutputBuffer();
        try (JsonGenerator out = factory.createGenerator(buffer, JsonEncoding.UTF8)) {
            new SchemaWriter(settings).write(out, schema);
        } catch (DataProblem e) {
            throw e.inSchema();
        } catch (IOException e) {
            throw new DataProblem("expected a schema that JSON can hold: " + e.getMessage(), e).inSchema();
        }
        return new Prepared(new SerializedString(new String(buffer.toBytes(), StandardCharsets.UTF_8)), codec);
    }

    private ConnectException failure(String topic, DataProblem problem) {
        return new ConnectException("topic '" + topic + "', " + (settings.isKey() ? "key" : "value") + problem.path() + ": "
            + problem.getMessage(), problem.getCause() == null ? problem : problem.getCause());
    }
}
