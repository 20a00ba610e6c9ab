/// Every command is declared once. What it declares is what it sends, what it accepts, and what the specification and the
/// schemas say.
import BatonCore
import BatonProtocol
import BatonWire
import Foundation
import Testing

@Suite struct CommandDefinitionTests {
    static let built = RequestKind.allCases.filter { !$0.definition.isReserved }

    @Test(arguments: built) func `a command that is sent is the command that is received`(kind: RequestKind) throws {
        for seed in 0..<60 {
            var check = RoundTrip(seed: UInt64(seed))
            try kind.accept(&check)
        }
    }

    @Test(arguments: built) func `the parameters are those of the schema, with its ranges`(kind: RequestKind) throws {
        var describing = Describing()
        let rows = try kind.accept(&describing)
        let schema = try Schema(command: kind.rawValue)

        #expect(Set(rows.filter { !$0.isReserved }.map(\.name)) == Set(schema.properties.keys))
        #expect(Set(rows.filter(\.isRequired).map(\.name)) == schema.required)
        for row in rows {
            guard let property = schema.properties[row.name] else { continue }
            switch row.form {
            case .int(let range):
                #expect(property["minimum"] as? Int == range.lowerBound, "\(kind.rawValue) \(row.name)")
                // How long a queue may be is the owner's setting, and the schema leaves that bound open.
                guard !(kind == .queueGet && row.name == "from") else { continue }
                #expect(property["maximum"] as? Int == range.upperBound, "\(kind.rawValue) \(row.name)")
            case .entries(let count), .uris(let count), .edits(let count):
                #expect(property["minItems"] as? Int == count.lowerBound, "\(kind.rawValue) \(row.name)")
                #expect(property["maxItems"] as? Int == count.upperBound, "\(kind.rawValue) \(row.name)")
            case .choice(let words):
                #expect(Set(property["enum"] as? [String] ?? []) == Set(words), "\(kind.rawValue) \(row.name)")
            case .bool: #expect(property["type"] as? String == "boolean", "\(kind.rawValue) \(row.name)")
            default: break
            }
        }
    }

    @Test func `the table of commands has the same commands, classes, roles and parameters`() throws {
        let spec = try ExampleTests.document("spec/05-commands.md")
        let table = try #require(spec.firstRange(of: "| command | parameters | class | role |")).upperBound
        let end = try #require(spec[table...].firstRange(of: "\n\n")).lowerBound
        var seen: Set<RequestKind> = []
        for line in spec[table..<end].split(separator: "\n").dropFirst() {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
            for name in cells[1].split(separator: " ") {
                let kind = try #require(RequestKind.named(name.trimmingCharacters(in: ["`"])), "\(name)")
                seen.insert(kind)
                let letters: [CommandDefinition.Class: String] = [.absolute: "A", .guarded: "G", .keyed: "K", .query: "Q"]
                #expect(cells[3].prefix(1) == letters[kind.definition.class] ?? "", "\(kind.rawValue)")
                #expect(cells[4].prefix { $0.isLetter } == kind.definition.role.rawValue, "\(kind.rawValue)")
                var describing = Describing()
                // The schema lets history be read on with a cursor, too, and the table leaves that out.
                for row in try kind.accept(&describing) where !(kind == .libHistory && row.name == "cursor") {
                    #expect(cells[2].contains("`\(row.name)`"), "\(kind.rawValue) \(row.name)")
                }
            }
        }
        #expect(seen == Set(Self.built))
    }

    @Test(arguments: built) func `an answer has a form exactly where the schemas describe one`(kind: RequestKind) throws {
        var answers = AnswerOf()
        let form = try kind.accept(&answers)
        let path = ExampleTests.folder.appending(path: "schema/v1/hub/data/\(kind.rawValue).json").path
        #expect((form != nil) == FileManager.default.fileExists(atPath: path))
    }

    @Test func `a reserved command is reserved in the text, too`() throws {
        let spec = try ExampleTests.document("spec/11-extensibility.md")
        for kind in RequestKind.allCases where kind.definition.isReserved { #expect(spec.contains(kind.rawValue), "\(kind.rawValue)") }
    }
}

// MARK: Visitors

private struct Describing: CommandVisitor {
    func visit<Command: HubRequest>(_ command: Command.Type) throws(ProtocolFault) -> [ParameterDescription] {
        try ParameterDescriber.rows(of: command)
    }
    func reserved(_ definition: CommandDefinition) -> [ParameterDescription] { [] }
}

private struct AnswerOf: CommandVisitor {
    func visit<Command: HubRequest>(_ command: Command.Type) -> ReplyData.Form? { Command.Answer.form }
    func reserved(_ definition: CommandDefinition) -> ReplyData.Form? { nil }
}

/// Draws a command, sends it, and reads it.
private struct RoundTrip: CommandVisitor {
    var generator: ParameterGenerator

    init(seed: UInt64) { generator = ParameterGenerator(seed: seed) }

    mutating func visit<Command: HubRequest>(_ command: Command.Type) throws(ProtocolFault) {
        // A required parameter may be drawn as absent, or two that do not fit together; then another one is drawn.
        var drawn = try? Command.coded(nil, &generator)
        while drawn == nil || (try? drawn?.validate(ParameterFaults())) == nil { drawn = try? Command.coded(nil, &generator) }
        guard let drawn else { return }
        let sent = try CommandFrame(id: 7, drawn, key: "keykey", room: RoomID("main"))
        guard case .command(let received) = try ClientMessage.decode(JSONWriter.bytes(sent.encode)) else {
            throw ProtocolFault(.internal, "This is no command.")
        }
        #expect(received.fingerprint == sent.fingerprint)
        let read = try Command(from: received)
        let request = try Request.decode(received)
        #expect(read == drawn)
        #expect(request == drawn.request)
        // `toggle` is carried out as `play` or `pause`.
        let kinds: Set<RequestKind> = Command.definition.kind == .toggle ? [.play, .pause] : [Command.definition.kind]
        #expect(kinds.contains(request.kind))
    }

    func reserved(_ definition: CommandDefinition) {}
}

/// What `Protocol/schema` says of one command's parameters.
private struct Schema {
    var properties: [String: [String: Any]] = [:]
    var required: Set<String> = []

    init(command: String) throws {
        let v1 = ExampleTests.folder.appending(path: "schema/v1")
        func object(_ path: String) throws -> [String: Any] {
            try JSONSerialization.jsonObject(with: Data(contentsOf: v1.appending(path: path))) as? [String: Any] ?? [:]
        }
        let common = try object("common.json")["$defs"] as? [String: [String: Any]] ?? [:]
        let schema = try object("client/command/\(command).json")
        let parts = schema["anyOf"] as? [[String: Any]] ?? [schema]
        for part in parts {
            for (name, value) in part["properties"] as? [String: [String: Any]] ?? [:] {
                var value = value
                if let name = (value["$ref"] as? String)?.split(separator: "/").last { value = common[String(name)] ?? [:] }
                properties[name] = value
            }
        }
        // Where there are several forms, only what each of them requires must be there.
        required = parts.map { Set($0["required"] as? [String] ?? []) }.reduce(Set(properties.keys)) { $0.intersection($1) }
    }
}
