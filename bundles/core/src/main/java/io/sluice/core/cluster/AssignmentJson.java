package io.sluice.core.cluster;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.core.cluster.Assignment.Seat;
import io.sluice.spi.allocation.Unit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * An assignment as JSON: its head in plain text, members and units deflated. Members are named once and then by number; units stand by
 * connector as {@code [task, member, epoch, member, epoch …, "why nobody shall have it"]}.
 */
final class AssignmentJson {

    private AssignmentJson() { }

    static ObjectNode write(JsonMapper mapper, Assignment assignment) throws IOException {
        ObjectNode node = mapper.createObjectNode();
        node.put("generation", assignment.generation());
        node.put("proposerId", assignment.proposer().id());
        node.put("proposerIncarnation", assignment.proposer().incarnation());
        node.put("definitions", assignment.definitions());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = mapper.createGenerator(new DeflaterOutputStream(bytes))) {
            json.writeStartObject();
            Map<MemberId, Integer> numbers = writeMembers(json, assignment);
            json.writeArrayFieldStart("dropped");
            for (Map.Entry<MemberId, String> dropped : new TreeMap<>(assignment.dropped()).entrySet()) {
                json.writeArray(new String[] {dropped.getKey().id(), dropped.getKey().incarnation(), dropped.getValue()}, 0, 3);
            }
            json.writeEndArray();
            writeUnits(json, assignment, numbers);
            json.writeEndObject();
        }
        node.put("deflated", bytes.toByteArray());
        return node;
    }

    private static Map<MemberId, Integer> writeMembers(JsonGenerator json, Assignment assignment) throws IOException {
        Map<MemberId, Integer> numbers = new HashMap<>();
        json.writeArrayFieldStart("members");
        for (Seat seat : assignment.members().values()) {
            numbers.put(seat.member(), numbers.size());
            json.writeStartArray();
            json.writeString(seat.member().id());
            json.writeString(seat.member().incarnation());
            json.writeNumber(seat.leaseMs());
            json.writeEndArray();
        }
        json.writeEndArray();
        return numbers;
    }

    private static void writeUnits(JsonGenerator json, Assignment assignment, Map<MemberId, Integer> numbers) throws IOException {
        SortedMap<Unit, Placement> sorted = new TreeMap<>(assignment.units());
        json.writeObjectFieldStart("units");
        String connector = null;
        for (Map.Entry<Unit, Placement> unit : sorted.entrySet()) {
            if (!unit.getKey().connector().equals(connector)) {
                if (connector != null) {
                    json.writeEndArray();
                }
                connector = unit.getKey().connector();
                json.writeArrayFieldStart(connector);
            }
            json.writeStartArray();
            json.writeNumber(unit.getKey().task());
            for (Hold hold : unit.getValue().holds()) {
                Integer number = numbers.get(hold.member());
                if (number == null) {
                    throw new IOException("unit " + unit.getKey() + " is held by " + hold.member() + ", who is not a member");
                }
                json.writeNumber(number);
                json.writeNumber(hold.epoch());
            }
            if (unit.getValue().isVacant()) {
                json.writeString(unit.getValue().vacant());
            }
            json.writeEndArray();
        }
        if (connector != null) {
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    static Assignment read(JsonMapper mapper, String key, JsonNode node) throws IOException {
        JsonNode body = mapper.readTree(new InflaterInputStream(new ByteArrayInputStream(node.required("deflated").binaryValue())));
        List<MemberId> numbered = new ArrayList<>();
        SortedMap<String, Seat> members = new TreeMap<>();
        for (JsonNode seat : body.required("members")) {
            MemberId member = new MemberId(seat.required(0).asText(), seat.required(1).asText());
            numbered.add(member);
            members.put(member.id(), new Seat(member, seat.required(2).asLong()));
        }
        Map<MemberId, String> dropped = new HashMap<>();
        for (JsonNode one : body.required("dropped")) {
            dropped.put(new MemberId(one.required(0).asText(), one.required(1).asText()), one.required(2).asText());
        }
        Map<Unit, Placement> units = new HashMap<>();
        for (Iterator<Map.Entry<String, JsonNode>> connectors = body.required("units").fields(); connectors.hasNext();) {
            Map.Entry<String, JsonNode> connector = connectors.next();
            for (JsonNode unit : connector.getValue()) {
                units.put(new Unit(connector.getKey(), unit.required(0).asInt()), placement(unit, numbered));
            }
        }
        return new Assignment(key, node.required("generation").asLong(),
            new MemberId(node.required("proposerId").asText(), node.required("proposerIncarnation").asText()), node.required("definitions").asLong(), members,
            dropped, units);
    }

    private static Placement placement(JsonNode unit, List<MemberId> numbered) {
        List<Hold> holds = new ArrayList<>(1);
        int at = 1;
        while (at + 1 < unit.size() && unit.required(at).isNumber()) {
            holds.add(new Hold(numbered.get(unit.required(at).asInt()), unit.required(at + 1).asLong()));
            at += 2;
        }
        return new Placement(holds, at < unit.size() ? unit.required(at).asText() : "");
    }
}
