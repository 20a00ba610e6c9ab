import BatonCore
import BatonWire

/// Draws parameters of a command as its definition describes them, some of them absent.
struct ParameterDrawing {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// Each is right by itself. Values are written as a sender writes them, without what a missing member means too.
    mutating func params(_ rows: [ParameterDescription]) -> JSONObject {
        var params = JSONObject()
        for row in rows where row.isRequired || .random(using: &random) {
            // `else` says what becomes of an anchor.
            if row.form == .word, params["after"] == nil, params["at"]?.object == nil { continue }
            params[row.name] = value(row.form)
        }
        return params
    }

    private mutating func value(_ form: ParameterDescription.Form) -> JSON {
        switch form {
        case .int(let range): .int(Int64(number(in: range)))
        case .bool: .bool(.random(using: &random))
        case .text(let bytes): word(bytes)
        case .token(let length): word(length)
        case .choice(let words): .string(words.randomElement(using: &random) ?? "")
        case .choices(let words): .array(words.prefix(number(in: 1...words.count)).map { .string($0) })
        case .entry: entry()
        case .entries: [entry(), entry()]
        case .uri: uri()
        case .uris: uris()
        case .personalName: .string("Küche \"1\" " + (word(1...20).string ?? ""))
        case .output: .random(using: &random) ? .null : .string("alsa/\(number(in: 0...9))")
        case .folder: .string("/music/\(number(in: 0...99))")
        case .sourceName: .string("attic-\(number(in: 0...99))")
        case .serverURL: .random(using: &random) ? "https://music.example.org:8443/sub" : "http://[::1]:4533"
        case .options: ["quality": "mp3:192", "sync_queue": word(0...9)]
        case .stations:
            [["title": "Harbour FM", "url": .string("https://radio.example/\(number(in: 0...99))"), "country": "France", "tags": ["jazz"]]]
        case .span: span()
        case .place: [.string("next"), .string("end"), ["after": anchor()]].randomElement(using: &random) ?? .null
        case .anchor: anchor()
        case .word: "end"
        case .rule: rule()
        case .edits: edits()
        }
    }

    private mutating func number(in range: ClosedRange<Int>) -> Int {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: range.lowerBound
        case 1: range.upperBound
        default: Int.random(in: range, using: &random)
        }
    }

    private mutating func word(_ length: ClosedRange<Int>) -> JSON {
        let letters = Array("abcXYZ019-_")
        let count = number(in: length.lowerBound...min(length.upperBound, 40))
        return .string(String((0..<count).map { _ in letters.randomElement(using: &random) ?? "a" }))
    }

    private mutating func entry() -> JSON { .string(EntryID(UInt64.random(in: 0...UInt64(1) << 50, using: &random)).text) }
    private mutating func uri() -> JSON { .string("lib:track/" + (word(1...12).string ?? "")) }
    private mutating func anchor() -> JSON { .random(using: &random) ? .null : entry() }
    private mutating func span() -> JSON {
        let from = number(in: 0...100)
        return [.int(Int64(from)), .int(Int64(number(in: from...100)))]
    }

    private mutating func rule() -> JSON {
        let conditions: JSON = [["f": "stars", "is": "atLeast", "v": "4"], ["f": "genre", "is": "has", "v": word(0...9)]]
        var rule: JSONObject = [.random(using: &random) ? "any" : "all": conditions]
        if .random(using: &random) { rule["order"] = "random" }
        if .random(using: &random) { rule["desc"] = 1 }
        if .random(using: &random) { rule["limit"] = 10000 }
        return .object(rule)
    }

    /// Steps for a list of the hub's, or for one that a server keeps.
    private mutating func edits() -> JSON {
        let place = JSON.int(Int64(number(in: 0...9999)))
        let steps: [JSON] =
            .random(using: &random)
            ? [
                ["add": uris()], ["add": uris(), "at": ["after": anchor()], "else": "end"], ["remove": [entry()]],
                ["move": [entry(), entry()], "after": anchor()], ["clear": 1], ["name": "Run"], ["rule": rule()], ["undo": 1],
            ]
            : [
                ["add": uris()], ["add": uris(), "place": place], ["removeAt": [0, place]], ["moveAt": place, "to": 0], ["name": "Run"],
                ["about": word(0...20)], ["public": .bool(.random(using: &random))],
            ]
        return .array(Array(steps.shuffled(using: &random).prefix(number(in: 1...steps.count))))
    }

    private mutating func uris() -> JSON { [uri(), uri()] }
}
