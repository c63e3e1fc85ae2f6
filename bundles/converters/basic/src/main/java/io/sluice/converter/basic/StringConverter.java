package io.sluice.converter.basic;

import io.openmessaging.connector.api.data.FieldType;
import io.openmessaging.connector.api.errors.ConnectException;
import io.sluice.spi.ConnectPlugin;
import io.sluice.spi.PluginKind;
import io.sluice.spi.config.Config;
import java.nio.charset.Charset;
import java.util.Map;

/**
 * Values as text. A value that is not text is written by its text form, as Kafka Connect's StringConverter does; see {@link TextForm}.
 *
 * <p>Unlike there, a character that the encoding lacks and bytes that are not text in it are refused rather than replaced.
 */
@ConnectPlugin(name = "string", kind = PluginKind.CONVERTER, configuration = StringConverterConfig.class,
    description = "Text in a chosen encoding; other values by their text form")
public class StringConverter extends SingleValueConverter {

    private StrictText text = new StrictText(Charset.forName("UTF-8"));

    public StringConverter() {
        super(FieldType.STRING);
    }

    @Override
    public void configure(Map<String, ?> configs) {
        super.configure(configs);
        StringConverterConfig config = Config.of(configs, StringConverterConfig.class);
        boolean kafkas = !config.converter_encoding().isBlank();
        String encoding = (kafkas ? config.converter_encoding() : config.encoding()).trim();
        try {
            text = new StrictText(Charset.forName(encoding));
        } catch (IllegalArgumentException e) {
            throw new ConnectException("'" + (kafkas ? "converter.encoding" : "encoding") + "' cannot be '" + encoding
                + "'; it needs the name of a character encoding that this Java knows, such as UTF-8", e);
        }
    }

    @Override
    byte[] encode(Object value) {
        return text.encode(value instanceof String string ? string : TextForm.of(value));
    }

    @Override
    Object decode(byte[] bytes) {
        return text.decode(bytes);
    }
}
