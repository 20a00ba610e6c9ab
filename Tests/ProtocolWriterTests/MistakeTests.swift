/// A definition with a mistake ends the build, with a sentence that names the file, the member and the reason.
import Foundation
import Testing

@testable import ProtocolWriter

@Suite struct `Mistakes in definitions` {
    private static let registry = "registries/commands.json"
    private static let groups = #"{"groups":[{"commands":["vol.set","levels"]}]}"#
    private static let shapes = #"{"$defs":{"uri":{"type":"string"},"role":{"enum":["guest","admin"]}}}"#
    private static let parameters = """
        "level":{"title":"How loud.","type":"integer","minimum":0,"maximum":100},"uri":{"title":"An item.","$ref":"common.json#/$defs/uri"}
        """
    private static let volume = """
        {"name":"vol.set","about":"Sets it.","class":"A","keys":"none","level":"core","role":"guest","parameters":{\(parameters)},\
        "required":["level"],"checks":[{"with":"uri","none":["level"],"at":"uri","says":"Name one."}]}
        """
    private static let levels = #"{"name":"levels","about":"Shows.","class":"Q","level":"core","role":"guest","parameters":{}}"#

    private static func definitions(
        _ volume: String = volume, levels: String = levels, groups: String = groups
    ) throws(Mistake) -> [Definition] {
        let files = ["commands/vol.set.json": volume, "commands/levels.json": levels, registry: groups, "schema/v1/common.json": shapes]
        return try Definition.all(in: files.mapValues { Array($0.utf8) })
    }

    @Test(arguments: [
        (#""vol.set""#, #""vol.get""#, "name: it must be vol.set, as the file is called"),
        (#""Sets it.""#, "7", "about: it must be text of one line"),
        (#""about":"Sets it.","#, "", "about is missing"),
        (#""A""#, #""B""#, "class: it must be one of A, G, K, Q"),
        (#""guest""#, #""owner""#, "role: it must be one of admin, guest, listener, remote"),
        (#""keys":"none""#, #""keys":"some""#, "keys: it must be one of apart, memory, none, shared"),
        (#""keys":"none""#, #""order":"rooms""#, "order: it must be one of none, servers"),
        (#""level":"core""#, #""level":7"#, "level: it must be text of one line"),
        (#""keys":"none""#, #""controls":false"#, "controls: it is true or left out"),
        (#""keys":"none""#, #""person":true"#, "person: it must be false for a command of this class, or left out"),
        (#""keys":"none""#, #""kind":"none""#, "kind: there is no such member"),
        (#""required""#, #""reserved":true,"required""#, "reserved: there is no such member"),
        (#"]}"#, "]", "This is not JSON, from byte 333 on"),
        (volume, "[]", "it must be an object"),
        (#""required":["level"]"#, #""required":["loud"]"#, "required[0]: the command has no such parameter"),
        (#""required":["level"]"#, #""groups":{"pair":["level"]}"#, "groups.pair: there is no such group"),
        ("$defs/uri", "$defs/url", "parameters.uri: common.json has no shape url"),
        (#""integer""#, #""number""#, "parameters.level: no coder knows this shape"),
        (#""maximum":100"#, #""limit":"loudness""#, "parameters.level.limit: there is no such limit"),
        (#""maximum":100"#, #""most":100"#, "parameters.level: maximum is missing"),
        (#""maximum":100"#, #""maximum":9,"default":10"#, "parameters.level.default: it is none of the values that the parameter may have"),
        (#""maximum":100"#, #""maximum":100,"default":10"#, "parameters.level: a parameter that must be there has no default"),
        (#""title":"An item.","#, #""title":"An item.","called":"level","#, "parameters.uri: two are called level"),
        (#""title":"An item.","#, #""title":"An item.","called":"limits","#, "parameters.uri: programs cannot call it limits"),
        (#""with":"uri""#, #""with":"url""#, "checks[0].with: the command has no such parameter"),
        (#""with":"uri","none":["level"]"#, #""with":"uri""#, "checks[0]: a check has one demand, and one condition at most"),
        (#""with":"uri""#, #""if":"uri""#, "checks[0]: there is no check with if"),
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
        #expect(text.contains(#"case volumeSet = "vol.set""#))
        #expect(text.contains("case .volumeSet: .absolute\n        default: .query") && text.contains("default: .guest"))
        #expect(try Self.definitions().map { CommandType($0).text }.joined().contains("public init(_ level: Int, uri: ItemURI? = nil) {"))
    }

    @Test func `code that reads and writes each command follows from its definition`() throws {
        let text = CommandCodec.text(try Self.definitions())
        for line in [
            "case .volumeSet: return try frame.checked(Commands.VolumeSet(params: frame.params, limits: limits))",
            "case .levels: return try frame.checked(Commands.Levels(params: frame.params, limits: limits))",
            "try p.refuseUnknown { switch $0 { case \"level\", \"uri\": true default: false } }",
            "try p.refuseUnknown { _ in false }",
            "guard let level: Int = try p.int(\"level\", in: 0...100) else { throw p.missing(\"level\") }",
            "let uri: ItemURI? = try p.uri(\"uri\")",
            "self.init(level, uri: uri)",
            "try validate(ParameterFaults())",
            "p[\"level\"] = .int(Int64(level))",
            "if let value = uri { p[\"uri\"] = .string(value.text) }",
        ] {
            #expect(text.contains("    \(line)\n"))
        }
    }

    @Test func `answers are found by their types, each of which is listed once`() throws {
        let volume = Self.volume.replacing(#""required""#, with: #""result":{"called":"Level","about":"How loud it is."},"required""#)
        let levels = volume.replacing("vol.set", with: "levels")
        let definitions = try Self.definitions(volume, levels: levels)
        let types = AnswerTypes(definitions)

        #expect(types.declarations.matches(of: /mutating func write\(_ content: Level, bytes: Int\)/).count == 1)
        #expect(types.declarations.matches(of: /extension Level: ReplyContent/).count == 1)
        #expect(types.codecs.contains("case .volumeSet: Level.self\n") && types.codecs.contains("case .levels: Level.self\n"))
        #expect(types.codecs.matches(of: /extension Level: AnswerCoding/).count == 1)
        #expect(!AnswerTypes(try Self.definitions()).codecs.contains("case ."))
        let reading = "public static func answer(in data: JSON?) throws(ProtocolFault) -> Level? {"
        #expect(CommandCodec.text(definitions).components(separatedBy: reading).count == 3)
        #expect(!CommandCodec.text(try Self.definitions()).contains("func answer(in"))
    }
}
