package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AwaitTest {

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', delimiter = '|', nullValues = "none", value = {
        "{'connector':{'state':'RUNNING'},'tasks':[{'id':0,'state':'RUNNING'}]}                                        | none",
        "{'connector':{'state':'RUNNING'},'tasks':[]}                                                                  | no task",
        "{'connector':{'state':'WAITING','reason':'plugin missing: x'},'tasks':[]}                                     | is WAITING, plugin missing: x",
        "{'connector':{'state':'RUNNING'},'tasks':[{'id':0,'state':'RUNNING'},{'id':1,'state':'FAILED','reason':'no'}]} | task 1 is FAILED, no",
        "{}                                                                                                            | no state"})
    void saysWhatAConnectorLacks(String status, String lacking) throws Exception {
        String said = Await.lacking(JsonMapper.builder().build().readTree(status.replace('\'', '"')));
        if (lacking == null) {
            assertThat(said).isEmpty();
        } else {
            assertThat(said).contains(lacking);
        }
    }
}
