/// Every command is declared once. What it declares is what it sends, what it accepts, and what the specification and the
/// schemas say.
import BatonCore
import BatonProtocol
import BatonWire
import Foundation
import Testing

@Suite struct CommandDefinitionTests {
    static let built = CommandKind.allCases.filter { !$0.definition.isReserved }

    @Test(arguments: built) func `a command that is sent is the command that is received`(kind: CommandKind) throws {
        for seed in 0..<60 {
            var check = RoundTrip(seed: UInt64(seed))
            try kind.accept(&check)
        }
    }

    @Test(arguments: built) func `the parameters are those of the definition, in its order, with ranges and defaults`(
        kind: CommandKind
    ) throws {
        var describing = Describing()
        let rows = try kind.accept(&describing)
        let written = try WrittenDefinition(kind.rawValue)

        #expect(rows.filter { !$0.isReserved }.map(\.name) == written.parameterNames)
        #expect(Set(rows.filter(\.isReserved).map(\.name)) == written.reservedParameters)
        #expect(Set(rows.filter(\.isRequired).map(\.name)) == written.required)
        for row in rows {
            guard let parameter = written.parameters[row.name] else { continue }
            // How long a queue may be is the owner's setting, and the definition leaves that bound open.
            let isOpen = kind == .queueGet && row.name == "from"
            #expect(parameter.holds(row.form, isOpen: isOpen), "\(kind.rawValue) \(row.name): \(row.form)")
            #expect(parameter.usual == row.usual, "\(kind.rawValue) \(row.name)")
        }
    }

    @Test(arguments: built) func `bounds that a hub's configuration changes are those that the definition names`(kind: CommandKind) throws {
        let paths: [String: WritableKeyPath<WireLimits, Int>] = [
            "queueLength": \.queueLength, "queueWindow": \.queueWindow, "queueAdd": \.queueAdd, "playlistLength": \.playlistLength,
            "playlistOps": \.playlistOps, "elements": \.json.elements,
        ]
        let written = try WrittenDefinition(kind.rawValue)
        var describing = Describing()
        let usual = try kind.accept(&describing)

        for (limit, path) in paths {
            describing.limits = .standard
            describing.limits[keyPath: path] -= 1
            let changed = zip(usual, try kind.accept(&describing)).filter { $0.form != $1.form }
            #expect(Set(changed.map(\.0.name)) == Set(written.limits.filter { $0.value == limit }.keys), "\(kind.rawValue) \(limit)")
        }
    }

    @Test(arguments: CommandKind.allCases) func `class, key table, role, order and person are those of the definition`(
        kind: CommandKind
    ) throws {
        let written = try WrittenDefinition(kind.rawValue)
        let letters: [CommandDefinition.Class: String] = [.absolute: "A", .guarded: "G", .keyed: "K", .query: "Q"]
        let tables: [CommandDefinition.KeyTable: String] = [.shared: "shared", .apart: "apart", .none: "none"]
        let orders: [CommandDefinition.Order: String] = [.ofRooms: "rooms", .ofServers: "servers", .none: "none"]

        #expect(letters[kind.definition.class] == written.class)
        #expect(tables[kind.definition.keys] == written.keys)
        #expect(kind.definition.role.rawValue == written.role)
        #expect(orders[kind.definition.order] == written.order)
        #expect(kind.definition.isOfPerson == written.isOfPerson)
        #expect(kind.definition.isReserved == written.isReserved)
    }

    @Test func `every definition is a command, and every command has a definition`() {
        #expect(WrittenDefinition.names == CommandKind.allCases.map(\.rawValue).sorted())
    }

    @Test(arguments: built) func `an answer has a form exactly where the schemas describe one`(kind: CommandKind) throws {
        var answers = AnswerOf()
        let form = try kind.accept(&answers)
        let path = ExampleTests.folder.appending(path: "schema/v1/hub/data/\(kind.rawValue).json").path
        #expect((form != nil) == FileManager.default.fileExists(atPath: path))
    }
}

// MARK: Visitors

struct Describing: CommandVisitor {
    var limits = WireLimits.standard

    func visit<Command: HubRequest>(_ command: Command.Type) throws(ProtocolFault) -> [ParameterDescription] {
        try ParameterDescriber.rows(of: command, within: limits)
    }
    func reserved(_ definition: CommandDefinition) -> [ParameterDescription] { [] }
}

struct AnswerOf: CommandVisitor {
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
        let kinds: Set<CommandKind> = Command.definition.kind == .toggle ? [.play, .pause] : [Command.definition.kind]
        #expect(kinds.contains(request.kind))
    }

    func reserved(_ definition: CommandDefinition) {}
}
