/// A schema of an answer or a section with a mistake ends the build, with a sentence that names the file, the member and the reason.
import Foundation
import Testing

@testable import ProtocolWriter

@Suite struct `Mistakes in schemas` {
    private static let shapes = """
        {"$defs":{"entry":{"type":"string","x-type":"EntryID"},"role":{"enum":["guest","admin"],"x-type":"Role","x-unknown":"guest"}}}
        """
    private static let rooms = """
        {"title":"rooms: all","called":"rooms","properties":{"list":{"type":"array","items":{"type":"object","called":"room","properties":{\
        "entry":{"$ref":"../common.json#/$defs/entry"},"level":{"type":"integer","minimum":0,"maximum":100,"x-omit":9},\
        "st":{"enum":["on","off"],"called":"state","x-unknown":"off"}},"required":["st"]},"x-page":24,"x-more":"more"},\
        "more":{"type":"integer","minimum":1}},"required":["list"]}
        """
    private static let line = """
        {"called":"watchLine","prefixItems":[{"type":"integer","minimum":0,"maximum":9},{"enum":[1,2],"x-words":["late","gone"]}],\
        "minItems":1,"x-pair":["level","halt"]}
        """

    private static func files(rooms: String = rooms, line: String = line) throws(Mistake) -> SchemaFiles {
        let files = [
            "schema/v1/section/rooms.json": rooms, "schema/v1/section/l.json": line, "schema/v1/common.json": shapes,
            "schema/v1/section/x.json": #"{"x-hand":"It is a text."}"#,
        ]
        return try SchemaFiles(files.mapValues { Array($0.utf8) })
    }

    @Test(arguments: [
        (#""called":"rooms","#, "", "it must be called something, or say why its code is written by hand"),
        (#""called":"rooms""#, #""called":7"#, "called: it must be text of one line"),
        ("$defs/entry", "$defs/place", "properties.list.items.properties.entry: common.json has no shape place"),
        (#""type":"integer","minimum":0"#, #""type":"number","minimum":0"#, "properties.list.items.properties.level: \(noCodec)"),
        (#""minimum":0"#, #""minimum":"none""#, "properties.list.items.properties.level.minimum: it must be a whole number"),
        (#""x-omit":9"#, #""x-omit":"nine""#, "properties.list.items.properties.level.x-omit: it is no value of this member"),
        (#"["st"]"#, #"["st","level"]"#, "properties.list.items.properties.level.x-omit: a member that must be there is never left out"),
        (#"["st"]"#, #"["state"]"#, "properties.list.items.required[0]: there is no such member"),
        (#""x-more":"more""#, #""x-more":"left""#, "properties.list: x-more names no member"),
        (#""type":"array","items""#, #""type":"array","item""#, "properties.list: items is missing"),
        (#""called":"state""#, #""called":"rule.state""#, "properties.list.items.properties.st: x-values has no rule"),
        (
            #""called":"room","#, ##""called":"room","x-inline":{"e":{"$ref":"#/$defs/entry"}},"##,
            "properties.list.items.x-inline.e: \(noMembers)"
        ),
        (#""more":{"#, #""more":{"x-page":1,"#, "only one list may be called rows, or have x-page"),
    ]) func `names the file, the member and the reason`(right: String, wrong: String, sentence: String) {
        let mistake = #expect(throws: Mistake.self) { try Self.files(rooms: Self.rooms.replacing(right, with: wrong)) }
        #expect(mistake?.sentence == "schema/v1/section/rooms.json: error: \(sentence).")
    }

    private static let noMembers = "it must be a shape with members"
    private static let noCodec = "no codec can be written for this shape; x-hand says why one is written by hand"

    @Test(arguments: [
        (#""late","gone""#, #""late""#, "prefixItems[1]: x-words must name each value of enum"),
        (#"[1,2]"#, #"["a","b"]"#, "prefixItems[1].enum[0]: it must be a whole number"),
        (#""level","halt""#, #""level""#, "x-pair must name each of prefixItems"),
    ]) func `names the place in a list`(right: String, wrong: String, sentence: String) {
        let mistake = #expect(throws: Mistake.self) { try Self.files(line: Self.line.replacing(right, with: wrong)) }
        #expect(mistake?.sentence == "schema/v1/section/l.json: error: \(sentence).")
    }

    @Test(arguments: [
        (#"{"called":"piece","properties":{"job":{"type":"string"}},"required":["job"]}"#, nil),
        (#"{"called":"piece","properties":{"job":{"type":"string"},"title":{"type":"string"}},"required":["job"]}"#, nil),
        (#"{"called":"piece","properties":{"job":{"type":"string"}}}"#, other),
        (#"{"called":"piece","properties":{"id":{"type":"string"}}}"#, other),
    ]) func `commands with one answer have schemas of the same members`(second: String, sentence: String?) throws {
        let first = #"{"called":"piece","properties":{"job":{"type":"string"}},"required":["job"]}"#
        let files = ["schema/v1/hub/data/a.json": first, "schema/v1/hub/data/b.json": second, "schema/v1/common.json": Self.shapes]
        do throws(Mistake) {
            let written = try SchemaFiles(files.mapValues { Array($0.utf8) }).declarations
            #expect(sentence == nil && written.contains("title: String? = nil") == second.contains("title"))
        } catch { #expect(error.sentence == sentence) }
    }

    private static let other = "schema/v1/hub/data/b.json: error: it has other members than another schema that is called so."

    /// The object `job` has a text of its own, a value made of two members, and the members of another shape.
    private static func job(_ more: String) throws(Mistake) -> SchemaFiles {
        let shapes = #"{"$defs":{"place":{"x-type":"Place","properties":{"posMs":{"type":"integer","minimum":0,"called":"positionMs"}}}}}"#
        let job = """
            {"called":"job",\(more)"x-values":{"rule":{"type":"Rule"}},"x-inline":{"place":{"$ref":"../../common.json#/$defs/place"}},\
            "properties":{"key":{"type":"string","x-bytes":16},"n":{"type":"integer","minimum":1,"called":"rule.count"},\
            "at":{"type":"string","called":"rule.time","x-bare":true},"posMs":{"type":"integer","minimum":0}},"required":["at","key"]}
            """
        let files = ["schema/v1/hub/data/job.json": job, "schema/v1/common.json": shapes]
        return try SchemaFiles(files.mapValues { Array($0.utf8) })
    }

    @Test func `values, inner members and types by hand are written`() throws {
        let files = try Self.job("")
        #expect(files.declarations.contains("package init(key: [UInt8], rule: Rule, place: Place) {"))
        #expect(!files.declarations.contains("struct Place"))
        #expect(files.codecs.contains("if let value = rule.count { w.member(\"n\", value) }"))
        #expect(files.codecs.contains("rule: Rule(count: try fields.count(\"n\"), try fields.required(\"at\", fields.text(\"at\"))),"))
        #expect(files.codecs.contains("place: try Place(from: fields))"))
        #expect(files.codecs.contains("key: try fields.required(\"key\", fields.bytes(\"key\", count: 16)),"))
        #expect(files.codecs.contains("extension Place {\n    func encodeMembers(into w: inout JSONWriter) {\n        if let positionMs"))
    }

    @Test func `what is written by hand is left out`() throws {
        let files = try Self.job(#""x-writer":"It depends.","#)
        #expect(files.declarations.contains("struct Job") && files.codecs.contains("init(from value: JSON)"))
        #expect(!files.codecs.contains("encode(into writer"))
        #expect(try Self.job(#""x-key":"rule.count","#).codecs.contains("guard rule.count != nil else { return }"))
    }

    @Test func `a message is written, and one of a client is read strictly`() throws {
        let message = """
            {"called":"proof","x-package":true,"x-strict":true,"properties":{"t":{"const":"prove"},"m":{"const":"key"},"mac":{"type":"string","x-bytes":32},\
            "names":{"type":"array","items":{"type":"string","x-maxBytes":8},"maxItems":4,"default":[]},\
            "level":{"type":"integer","minimum":0,"maximum":9}},"required":["t","m","mac"]}
            """
        let files = ["schema/v1/client/prove.json": message, "schema/v1/common.json": Self.shapes]
        let written = try SchemaFiles(files.mapValues { Array($0.utf8) })
        #expect(written.declarations.contains("package struct Proof: Equatable, Sendable {\n    package static let type = \"prove\""))
        #expect(written.declarations.contains("package init(mac: [UInt8], names: [String] = [], level: Int? = nil) {"))
        #expect(written.codecs.contains("writer.message(Self.type) { w in\n            w.member(\"m\", \"key\")"))
        #expect(written.codecs.contains("guard p.object[\"m\"] == .string(\"key\") else {"))
        #expect(written.codecs.contains("let mac = try p.required(\"mac\", p.bytes(\"mac\", count: 32))"))
        #expect(written.codecs.contains("let names: [String] = try p.strings(\"names\", count: 0...4, bytes: 0...8) ?? []"))
        #expect(written.codecs.contains("let level: Int? = try p.int(\"level\", in: 0...9)"))
    }

    @Test func `a section that is a text is written`() throws {
        let room = #"{"called":"watchRoom","type":"string","x-text":"watch","x-bare":true,"x-pair":["name"]}"#
        let files = ["schema/v1/section/r.json": room, "schema/v1/common.json": Self.shapes]
        let written = try SchemaFiles(files.mapValues { Array($0.utf8) })
        #expect(written.declarations.contains("package init(_ name: String) {"))
        #expect(written.codecs.contains("{ w.string(w.shown(name, .watch)) }"))
        #expect(written.codecs.contains("self.init(try value.text(.watchRoom))"))
    }

    @Test func `a section that a query answers is written into the page of an answer too`() throws {
        let files = [
            "schema/v1/section/rooms.json": Self.rooms, "schema/v1/common.json": Self.shapes,
            "schema/v1/hub/data/room.list.json": ##"{"$ref":"../../section/rooms.json"}"##,
        ]
        let codecs = try SchemaFiles(files.mapValues { Array($0.utf8) }).codecs
        #expect(codecs.contains("bytes most: Int) { encode(into: &writer, bytes: most, atLeast: 1) }"))
        #expect(codecs.contains("w.member(\"list\", list, upTo: end, atLeast: least)"))
        #expect(try !Self.files().codecs.contains("atLeast"))
    }

    @Test func `schemas that are right are written`() throws {
        let files = try Self.files()
        #expect(files.declarations.contains("package init(_ list: [RoomsSection.Room], more: Int = 0) {"))
        #expect(files.declarations.contains("package init(entry: EntryID? = nil, level: Int = 9, state: RoomsSection.State) {"))
        #expect(files.declarations.contains("package enum Halt: Int, CaseIterable, Sendable { case late = 1, gone = 2 }"))
        #expect(files.codecs.contains(#"if level != 9 { w.member("level", level) }"#))
        #expect(files.codecs.contains("if let halt { w.int(halt.rawValue) }"))
    }
}
