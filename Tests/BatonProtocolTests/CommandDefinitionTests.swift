/// Every command is declared once. What it declares is what it sends, what it accepts, and what the specification and the
/// schemas say.
import BatonCore
import BatonProtocol
import BatonWire
import Foundation
import Testing

@Suite struct CommandDefinitionTests {
    @Test(arguments: CommandKind.allCases) func `a command that is sent is the command that is received`(kind: CommandKind) throws {
        let rows = try WrittenDefinition(kind.rawValue).rows
        for seed in 0..<60 {
            var drawing = ParameterDrawing(seed: UInt64(seed))
            // Parameters that are right may not go together; then others are drawn.
            var params = drawing.params(rows)
            while FaultRecording.said(of: CommandFrame(id: 7, method: kind.rawValue, key: "keykey", params: params)) != "ok" {
                params = drawing.params(rows)
            }
            let command = try CommandFrame(id: 7, method: kind.rawValue, key: "keykey", params: params).command()
            #expect(command.kind == kind)
            let sendable = try #require(command as? any WireCommand)
            try RoundTrip(params: params, rows: rows).check(sendable)
        }
    }

    @Test(arguments: CommandKind.allCases) func `parameters are read in the order of the definition, and the first wrong one is named`(
        kind: CommandKind
    ) throws {
        let rows = try WrittenDefinition(kind.rawValue).rows
        for (place, row) in rows.enumerated() {
            let right = rows[..<place].map { "\($0.name)=\($0.form.texts[0])" }
            let wrong = rows[place...].map { "\($0.name)=\($0.form.texts.last ?? "null")" }
            let said = try FaultRecording.said(of: kind.rawValue, [], right + wrong)
            // `else` belongs to the place, and is read with it.
            let named = row.form == .place ? "else" : row.name
            #expect(said.split(separator: " ")[1] == "/p/\(named)", "\(kind.rawValue): \(said)")

            let others = rows.filter { $0 != row }.map { "\($0.name)=\($0.form.texts[0])" }
            let missing = try FaultRecording.said(of: kind.rawValue, [], others)
            #expect((missing == "bad_request /p/\(row.name) \(row.name) is missing.") == row.isRequired, "\(kind.rawValue): \(missing)")
        }
    }

    @Test(arguments: CommandKind.allCases) func `values within the bounds of the definition are accepted, and others are refused`(
        kind: CommandKind
    ) throws {
        let rows = try WrittenDefinition(kind.rawValue).rows
        for row in rows {
            for value in row.form.within { #expect(try !Self.isRefused(value, row, rows, kind), "\(kind.rawValue) \(row.name)=\(value)") }
            for value in row.form.beyond { #expect(try Self.isRefused(value, row, rows, kind), "\(kind.rawValue) \(row.name)=\(value)") }
        }
    }

    @Test(arguments: CommandKind.allCases) func `bounds that a hub's configuration changes are those that the definition names`(
        kind: CommandKind
    ) throws {
        let paths: [String: WritableKeyPath<WireLimits, Int>] = [
            "queueLength": \.queueLength, "queueWindow": \.queueWindow, "queueAdd": \.queueAdd, "playlistLength": \.playlistLength,
            "playlistOps": \.playlistOps, "elements": \.json.elements,
        ]
        let written = try WrittenDefinition(kind.rawValue)
        for (limit, path) in paths {
            var limits = WireLimits.standard
            limits[keyPath: path] -= 1
            for row in written.rows {
                guard let most = row.form.within.last else { continue }
                let isRefused = try Self.isRefused(most, row, written.rows, kind, within: limits)
                // A list of uris is bounded by the elements of any list, too, which are as many as may be added.
                #expect(isRefused == (written.limits[row.name] == limit), "\(kind.rawValue) \(row.name)=\(most) \(limit)")
            }
        }
    }

    /// Whether the value itself is refused: it may be right, and not go together with others.
    private static func isRefused(
        _ value: String, _ row: ParameterDescription, _ rows: [ParameterDescription], _ kind: CommandKind,
        within limits: WireLimits = .standard
    ) throws -> Bool {
        let others = rows.filter { $0.isRequired && $0 != row }.map { "\($0.name)=\($0.form.texts[0])" }
        let said = try FaultRecording.said(of: kind.rawValue, [], others + ["\(row.name)=\(value)"], within: limits)
        return said.hasPrefix("bad_request /p/\(row.name) \(row.name) must be ") || said.hasPrefix("too_large /p/\(row.name) ")
    }

    @Test(arguments: CommandKind.allCases) func `class, key table, role, order and person are those of the definition`(
        kind: CommandKind
    ) throws {
        let written = try WrittenDefinition(kind.rawValue)
        let letters: [CommandKind.Class: String] = [.absolute: "A", .guarded: "G", .keyed: "K", .query: "Q"]
        let tables: [CommandKind.KeyTable: String] = [.shared: "shared", .apart: "apart", .memory: "memory", .none: "none"]
        let orders: [CommandKind.Order: String] = [.ofRooms: "rooms", .ofServers: "servers", .none: "none"]

        #expect(letters[kind.class] == written.class)
        #expect(tables[kind.keys] == written.keys)
        #expect(kind.role.rawValue == written.role)
        #expect(orders[kind.order] == written.order)
        #expect(kind.isOfPerson == written.isOfPerson)
    }

    @Test func `kinds of items are those of the registry`() throws {
        struct Registry: Decodable { let entries: [Entry] }
        struct Entry: Decodable {
            let name: String
            let container: Bool?
        }
        let path = ExampleTests.folder.appending(path: "registries/kinds.json")
        let entries = try JSONDecoder().decode(Registry.self, from: Data(contentsOf: path)).entries
        #expect(Set(entries.map(\.name)) == Set(ItemKind.allCases.map(\.rawValue)))
        for entry in entries { #expect(ItemKind(rawValue: entry.name)?.isContainer == (entry.container == true), "\(entry.name)") }
    }

    @Test func `every definition is a command, and every command has a definition`() {
        #expect(WrittenDefinition.names == CommandKind.allCases.map(\.rawValue).sorted())
    }

    @Test(arguments: CommandKind.allCases) func `an answer carries something exactly where the schemas describe one`(kind: CommandKind)
        throws
    {
        let path = ExampleTests.folder.appending(path: "schema/v1/hub/data/\(kind.rawValue).json").path
        #expect((kind.content != nil) == FileManager.default.fileExists(atPath: path))
    }
}

/// Sends a command that was read, and reads it again.
private struct RoundTrip {
    let params: JSONObject
    let rows: [ParameterDescription]

    func check<Command: WireCommand>(_ command: Command) throws {
        let sent = CommandFrame(id: 7, command, key: "keykey", room: RoomID("main"))
        guard case .command(let received) = try ClientMessage.decode(JSONWriter.bytes(sent.encode)) else {
            throw ProtocolFault(.internal, "This is no command.")
        }
        #expect(received.fingerprint == sent.fingerprint)
        #expect(try Command(params: received.params, limits: .standard) == command)
        for row in rows where received.params[row.name] != params[row.name] {
            #expect(received.params[row.name] == nil && isUsual(row), "\(Command.kind.rawValue) \(row.name)")
        }
        #expect(try received.command() as? Command == command)
    }

    /// Whether the value that was read means the same as a missing one.
    private func isUsual(_ row: ParameterDescription) -> Bool {
        // A new room has the hub's own output.
        row.form == .output && params[row.name] == .null || row.usual != nil && params[row.name] == row.usual
    }
}

extension ParameterDescription.Form {
    /// Values as `FaultRecording` spells them, up to the bound.
    fileprivate var within: [String] {
        switch self {
        case .int(let range): ["\(range.lowerBound)", "\(range.upperBound)"]
        case .text(let range), .token(let range): ["x*\(range.lowerBound)", "x*\(range.upperBound)"]
        case .choice(let words): words.map { "\"\($0)\"" }
        case .choices(let words): ["[\(words.map { "\"\($0)\"" }.joined(separator: ","))]"]
        case .entries(let count): ["1*\"q1\"", "\(count.upperBound)*\"q1\""]
        case .uris(let count): ["1*\"a:b\"", "\(count.upperBound)*\"a:b\""]
        case .edits(let count): [#"1*{"clear":1}"#, #"\#(count.upperBound)*{"clear":1}"#]
        case .stations(let count): [#"1*{"url":"http://host/"}"#, #"\#(count.upperBound)*{"url":"http://host/"}"#]
        default: Array(texts.prefix(1))
        }
    }

    /// Values just beyond the bound.
    fileprivate var beyond: [String] {
        switch self {
        case .int(let range): ["\(range.lowerBound - 1)"] + (range.upperBound < Int(JSON.largestNumber) ? ["\(range.upperBound + 1)"] : [])
        case .text(let range), .token(let range):
            (range.lowerBound > 0 ? ["x*\(range.lowerBound - 1)"] : []) + ["x*\(range.upperBound + 1)"]
        case .choice: ["\"nonsense\""]
        case .entries(let count): ["[]", "\(count.upperBound + 1)*\"q1\""]
        case .uris(let count): ["[]", "\(count.upperBound + 1)*\"a:b\""]
        case .edits(let count): ["[]", #"\#(count.upperBound + 1)*{"clear":1}"#]
        case .stations(let count): ["[]", #"\#(count.upperBound + 1)*{"url":"http://host/"}"#]
        default: []
        }
    }
}
