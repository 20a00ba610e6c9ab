import BatonProtocol

/// The output of a verb with `--json`, as a JSON Schema. `baton schema` shows all of them.
enum JSONForm: Sendable, Equatable {
    /// The hub's state, as printed by `baton status`.
    case status
    /// An object with `done` and the sentence for people.
    case told
    /// The result of this command, as described by the protocol.
    case answer(CommandKind)
    /// A section of the state, as described by the protocol.
    case section(String)
    /// A form in `JSONForms`.
    case own(String)

    /// The path of its schema. Schemas of the protocol are in `Protocol/schema/v1`.
    var reference: String {
        switch self {
        case .status: "#/$defs/status"
        case .told: "#/$defs/told"
        case .answer(let command): "hub/data/\(command.rawValue).json"
        case .section(let name): "section/\(name).json"
        case .own(let name): "#/$defs/\(name)"
        }
    }
}

/// This program's own forms. An output may have more members than its form lists.
enum JSONForms {
    static let all: KeyValuePairs<String, String> = [
        "status": """
        {"type":"object","required":["rev","positionMs"],"properties":{"rev":\(number),"room":\(text),"positionMs":\(number),\
        "fav":{"type":"boolean"},"stars":\(number),"now":\(section("now")),"tl":\(section("tl")),"vol":\(section("vol")),\
        "modes":\(section("modes")),"queue":\(section("queue")),"rooms":\(section("rooms")),"outputs":\(section("outputs")),\
        "book":\(section("book")),"sleep":\(section("sleep")),"hub":\(section("hub"))}}
        """,
        "told": object(["done": #"{"const":true}"#], ["message": text]),
        "idle": object(["changed": list(text)]),
        "rows": object(["rows": list(item)], ["total": number, "missed": list(text)]),
        "found": object(["song": text, "rows": list(item)]),
        "playlists": object(["rows": list(object(["id": text, "name": text]))]),
        "playlist": object(["name": text, "rows": list(item)], ["id": text, "list": text, "rev": number, "version": text]),
        "copied": object(["n": number], ["list": #"{"type":["string","null"]}"#]),
        "file": object(["file": text, "n": number]),
        "imported": object(["id": text, "added": number, "missing": list(text)]),
        "added": object(["added": number], ["passedOver": number]),
        "saved": object(["title": text, "n": number]),
        "recordings": object(["recordings": list(object(["id": number, "uri": text, "title": text, "state": text]))]),
        "uploaded": object(["file": text, "status": number, "text": text]),
        "bookmarks": object(["bookmarks": list(object(["id": number, "uri": text, "posMs": number, "title": text]))]),
        "rooms": list(
            object(
                ["id": text, "name": text, "st": text, "level": number, "mute": #"{"type":"boolean"}"#], ["title": text, "whenEmpty": text])
        ),
        "room": object(["room": text]),
        "paired": object(["hub": text, "name": text, "dev": text, "role": text]),
        "signedIn": object(["user": text, "role": text, "session": text]),
        "export": object(["rows": list(#"{"type":"object"}"#)]),
        "backup": object(["file": text, "bytes": number, "secrets": #"{"type":"boolean"}"#]),
        "restored": object(["hub": text, "madeMs": number, "version": text, "again": list(text)]),
        "logLine": object(["n": number, "ms": number, "level": text, "text": text]),
        "hubs": list(object(["name": text, "id": text, "address": text, "standing": text])),
        "doctor": object([
            "ok": #"{"type":"boolean"}"#, "findings": list(object(["part": text, "mark": text, "found": text], ["advice": text])),
        ]),
        "ping": object(["count": number, "roundTripUs": number, "bestRoundTripUs": number, "offsetUs": number, "errorUs": number]),
        "pages": object(["pages": list(text)]),
        "messages": #"{"type":"object","required":["t"]}"#,
    ]

    private static let text = #"{"type":"string"}"#
    private static let number = #"{"type":"integer"}"#
    private static let item = object(["uri": text], ["title": text])

    private static func section(_ name: String) -> String { #"{"$ref":"section/\#(name).json"}"# }

    private static func list(_ items: String) -> String { #"{"type":"array","items":\#(items)}"# }

    private static func object(_ required: KeyValuePairs<String, String>, _ optional: KeyValuePairs<String, String> = [:]) -> String {
        let members = (Array(required) + Array(optional)).map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
        return #"{"type":"object","required":[\#(required.map { #""\#($0.key)""# }.joined(separator: ","))],"properties":{\#(members)}}"#
    }

    /// All forms as one schema, with a member for each verb and each subcommand with a form of its own.
    static var document: String {
        let forms = all.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",\n  ")
        let verbs = Verb.all.filter { !$0.isFullScreen }.map { verb in
            let answers = verb.json.map { #""\#($0.key)":{"$ref":"\#($0.value.reference)"}"# }.joined(separator: ",")
            return #""\#(verb.name)":{\#(answers)}"#
        }
        return """
            {"$schema":"https://json-schema.org/draft/2020-12/schema",
             "$comment":"What verbs of baton print with --json. An empty name stands for all subcommands that are not named; watch and log \
            print one object a line. References without # are files of Protocol/schema/v1.",
             "$defs":{
              \(forms)},
             "verbs":{
              \(verbs.joined(separator: ",\n  "))}}
            """
    }
}
