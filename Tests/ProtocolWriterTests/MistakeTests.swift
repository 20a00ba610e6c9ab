/// A definition with a mistake ends the build, with a sentence that names the file, the member and the reason.
import Foundation
import Testing

@testable import ProtocolWriter

@Suite struct `Mistakes in definitions` {
    private static let registry = "registries/commands.json"
    private static let groups = #"{"groups":[{"commands":["vol.set","levels"]}]}"#
    private static let volume =
        #"{"name":"vol.set","about":"Sets it.","class":"A","keys":"none","role":"guest","since":"0001-first-wire","parameters":{}}"#
    private static let levels = #"{"name":"levels","about":"Shows.","class":"Q","role":"guest","since":"0001-first-wire","reserved":true}"#

    private static func definitions(
        _ volume: String = volume, levels: String = levels, groups: String = groups
    ) throws(Mistake) -> [Definition] {
        let files = ["commands/vol.set.json": volume, "commands/levels.json": levels, registry: groups]
        return try Definition.all(in: files.mapValues { Array($0.utf8) })
    }

    @Test(arguments: [
        (#""vol.set""#, #""vol.get""#, "name: it must be vol.set, as the file is called"),
        (#""Sets it.""#, "7", "about: it must be text of one line"),
        (#""about":"Sets it.","#, "", "about is missing"),
        (#""A""#, #""B""#, "class: it must be one of A, G, K, Q"),
        (#""guest""#, #""owner""#, "role: it must be one of admin, guest, listener, remote"),
        (#""keys":"none""#, #""keys":"some""#, "keys: it must be one of apart, none, shared"),
        (#""keys":"none""#, #""order":"rooms""#, "order: it must be one of none, servers"),
        (#""0001-first-wire""#, #""first-wire""#, "since: it must be the name of a page in changes"),
        (#""keys":"none""#, #""controls":false"#, "controls: it is true or left out"),
        (#""keys":"none""#, #""person":true"#, "person: it must be false for a command of this class, or left out"),
        (#""keys":"none""#, #""kind":"none""#, "kind: there is no such member"),
        (#""parameters":{}"#, #""reserved":true,"parameters":{}"#, "keys: a command that is reserved has none"),
        ("}}", "}", "This is not JSON, from byte 116 on"),
        (volume, "[]", "it must be an object"),
    ]) func `names the file, the member and the reason`(right: String, wrong: String, sentence: String) {
        let mistake = #expect(throws: Mistake.self) { try Self.definitions(Self.volume.replacing(right, with: wrong)) }
        #expect(mistake?.sentence == "commands/vol.set.json: error: \(sentence).")
    }

    @Test(arguments: [
        (#"["vol.set"]"#, "commands/levels.json: error: \(registry) must name it in a group."),
        (#"["vol.set","levels","levels"]"#, "\(registry): error: groups[0].commands[2]: commands/levels.json is missing, or named twice."),
        (#"["vol.set","level"]"#, "\(registry): error: groups[0].commands[1]: commands/level.json is missing, or named twice."),
        ("7", "\(registry): error: groups[0].commands: it must be a list."),
    ]) func `names a definition that the registry does not know`(commands: String, sentence: String) {
        let mistake = #expect(throws: Mistake.self) { try Self.definitions(groups: #"{"groups":[{"commands":\#(commands)}]}"#) }
        #expect(mistake?.sentence == sentence)
    }

    @Test func `definitions that are right are written`() throws {
        let text = CommandTable(try Self.definitions()).text
        #expect(text.contains(#"case volumeSet = "vol.set""#) && text.contains("case .levels: try visitor.reserved(definition)"))
    }
}
