/// Limits of texts: the schemas and the decoder count alike (BT-LIM-014).
import BatonProtocol
import BatonWire
import Foundation
import Testing

@Suite struct TextLimitTests {
    /// A text on the wire: where its schema stands in `Protocol`, and a message that carries it in the place of TEXT.
    struct TextField: CustomTestStringConvertible, Sendable {
        var testDescription: String
        let schema: [String]
        let message: String
        var prefix = ""

        init(_ name: String, _ schema: [String], _ message: String, prefix: String = "") {
            testDescription = name
            self.schema = schema
            self.message = message
            self.prefix = prefix
        }

        static func parameter(_ command: String, _ name: String, _ others: String = "", prefix: String = "") -> TextField {
            TextField(
                "\(command) \(name)", ["commands/\(command)", "parameters", name],
                #"{"t":"cmd","id":1,"m":"\#(command)","k":"keykey","p":{"\#(name)":"TEXT"\#(others)}}"#, prefix: prefix)
        }
    }

    static let places = [
        TextField(
            "client.name", ["schema/v1/client/hello", "properties", "client", "properties", "name"],
            #"{"t":"hello","core":"1.0","view":"full","client":{"id":"abcd","name":"TEXT"}}"#),
        TextField(
            "client.app", ["schema/v1/client/hello", "properties", "client", "properties", "app"],
            #"{"t":"hello","core":"1.0","view":"full","client":{"id":"abcd","app":"TEXT"}}"#),
        TextField(
            "caps", ["schema/v1/client/hello", "properties", "caps", "items"],
            #"{"t":"hello","core":"1.0","view":"full","client":{"id":"abcd"},"caps":["TEXT"]}"#),
        TextField("rooms", ["schema/v1/common", "$defs", "room"], #"{"t":"sub","id":1,"rooms":["TEXT"]}"#),
        TextField("the command's room", ["schema/v1/common", "$defs", "room"], #"{"t":"cmd","id":1,"m":"pause","room":"TEXT"}"#),
        TextField("the method", ["tools/cmd", "properties", "m"], #"{"t":"cmd","id":1,"m":"TEXT"}"#),
        TextField(
            "the name of a pairing", ["schema/v1/client/pair", "oneOf", "0", "properties", "name"],
            #"{"t":"pair","step":1,"name":"TEXT","by":"pin","nonce":"Zr1tYk0mVb2pQ7cXw8sLdA","ya":"\#(String(repeating: "A", count: 43))"}"#
        ),
        .parameter("lib.search", "q"),
        .parameter("lib.search", "source", #","q":"kid a""#),
        .parameter("lib.search", "cursor", #","q":"kid a""#),
        .parameter("dev.rename", "name", #","dev":"d_5k2""#),
        .parameter("room.create", "output", #","name":"Kitchen""#),
        .parameter("lib.folders", "in", prefix: "/"),
        .parameter("lib.folder", "path", #","on":true"#, prefix: "/"),
        TextField("a uri", ["schema/v1/common", "$defs", "uri"], #"{"t":"cmd","id":1,"m":"fav.set","p":{"uri":"TEXT","on":true}}"#),
    ]

    @Test(arguments: places) func `a text may have as many bytes as its schema says, and not one more`(place: TextField) throws {
        let most = try #require(try Self.schema(place.schema)["x-maxBytes"] as? Int)

        #expect(isTaken(place, bytes: most))
        #expect(!isTaken(place, bytes: most + 1))
    }

    @Test(arguments: ["room.create", "pl.create"]) func `a name has 64 code points, however many characters they make`(command: String) {
        let place = TextField(command, [], #"{"t":"cmd","id":1,"m":"\#(command)","k":"keykey","p":{"name":"TEXT"}}"#)
        let accented = String(repeating: "e\u{301}", count: 32)

        #expect(isTaken(place, accented))
        #expect(!isTaken(place, accented + "e"))
    }

    /// Letters of two bytes, so that counting characters would find half of them.
    private func isTaken(_ place: TextField, bytes: Int) -> Bool {
        let left = bytes - place.prefix.utf8.count
        return isTaken(place, place.prefix + String(repeating: "é", count: left / 2) + String(repeating: "e", count: left % 2))
    }

    private func isTaken(_ place: TextField, _ text: String) -> Bool {
        do {
            let message = try ClientMessage.decode(utf8(place.message.replacing("TEXT", with: text)))
            guard case .command(let frame) = message, CommandKind.named(frame.method) != nil else { return true }
            _ = try frame.command()
            return true
        } catch {
            return false
        }
    }

    private static func schema(_ path: [String]) throws -> [String: Any] {
        let file = ExampleTests.folder.appending(path: "\(path[0]).json")
        var part: Any? = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        for step in path.dropFirst() {
            part = Int(step).flatMap { (part as? [Any])?[$0] } ?? (part as? [String: Any])?[step]
        }
        let found = part as? [String: Any] ?? [:]
        // A parameter may have a shape that others have too.
        guard let shape = (found["$ref"] as? String)?.split(separator: "/").last else { return found }
        return try schema(["schema/v1/common", "$defs", String(shape)])
    }
}
