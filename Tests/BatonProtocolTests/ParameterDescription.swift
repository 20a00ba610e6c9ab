import BatonCore
import BatonProtocol

/// One parameter of a command, for the tests that compare it with the documents.
struct ParameterDescription: Equatable, Sendable {
    enum Form: Equatable, Sendable {
        case int(ClosedRange<Int>)
        case bool
        case text(bytes: ClosedRange<Int>)
        case token(ClosedRange<Int>)
        case choice([String])
        case choices([String])
        case entry, uri, personalName, output, folder, span, place, anchor, word, rule, sourceName, serverURL, options
        case stations(ClosedRange<Int>)
        case entries(ClosedRange<Int>)
        case uris(ClosedRange<Int>)
        case edits(ClosedRange<Int>)
    }

    var name: String
    var form: Form
    var isRequired = false
    var usual: String?
    /// The protocol names it, and this version refuses it.
    var isReserved = false
}

/// Lists the parameters of a command by having it build a sample of itself.
struct ParameterDescriber: ParameterCoder {
    let limits: WireLimits
    private(set) var rows: [ParameterDescription] = []

    static func rows<Command: CommandRequest>(
        of command: Command.Type, within limits: WireLimits = .standard
    ) throws(ProtocolFault) -> [ParameterDescription] {
        var describer = ParameterDescriber(limits: limits)
        _ = try Command.coded(nil, &describer)
        return describer.rows
    }

    private mutating func row<Value>(_ name: String, _ form: ParameterDescription.Form, _ sample: Value, usual: String? = nil) -> Value {
        rows.append(ParameterDescription(name: name, form: form, usual: usual))
        return sample
    }

    mutating func int(_ name: String, _ value: Int?, in range: ClosedRange<Int>) -> Int? {
        row(name, .int(range), range.lowerBound)
    }
    mutating func int(_ name: String, _ value: Int?, in range: ClosedRange<Int>, default usual: Int) -> Int {
        row(name, .int(range), usual, usual: "\(usual)")
    }
    mutating func bool(_ name: String, _ value: Bool?) -> Bool? { row(name, .bool, false) }
    mutating func bool(_ name: String, _ value: Bool?, default usual: Bool) -> Bool { row(name, .bool, usual, usual: "\(usual)") }
    mutating func text(_ name: String, _ value: String?, bytes: ClosedRange<Int>) -> String? {
        row(name, .text(bytes: bytes), "text")
    }
    mutating func token(_ name: String, _ value: String?, length: ClosedRange<Int>) -> String? {
        row(name, .token(length), "token")
    }
    mutating func choice<Choice: ParameterChoice>(_ name: String, _ value: Choice?) -> Choice? {
        row(name, .choice(Choice.allCases.map(\.rawValue)), Choice.allCases.first)
    }
    mutating func choice<Choice: ParameterChoice>(_ name: String, _ value: Choice?, default usual: Choice) -> Choice {
        row(name, .choice(Choice.allCases.map(\.rawValue)), usual, usual: usual.rawValue)
    }
    mutating func choices<Choice: ParameterChoice>(_ name: String, _ value: [Choice]?, of noun: String) -> [Choice]? {
        row(name, .choices(Choice.allCases.map(\.rawValue)), Array(Choice.allCases))
    }
    mutating func entry(_ name: String, _ value: EntryID?) -> EntryID? { row(name, .entry, EntryID(1)) }
    mutating func entries(_ name: String, _ value: [EntryID]?, most: Int) -> [EntryID]? {
        row(name, .entries(1...most), [EntryID(1)])
    }
    mutating func uri(_ name: String, _ value: ItemURI?) -> ItemURI? { row(name, .uri, ItemURI("a:b")) }
    mutating func uris(_ name: String, _ value: [ItemURI]?) -> [ItemURI]? {
        row(name, .uris(1...limits.queueAdd), [ItemURI("a:b")])
    }
    mutating func personalName(_ name: String, _ value: String?) -> String? { row(name, .personalName, "Name") }
    mutating func output(_ name: String, _ value: Patch<String>?) -> Patch<String> { row(name, .output, .unchanged) }
    mutating func folder(_ name: String, _ value: String?) -> String? { row(name, .folder, "/") }
    mutating func sourceName(_ name: String, _ value: String?) -> String? { row(name, .sourceName, "name") }
    mutating func serverURL(_ name: String, _ value: String?) -> String? { row(name, .serverURL, "http://host") }
    mutating func options(_ name: String, _ value: [String: String]?) -> [String: String]? { row(name, .options, [:]) }
    mutating func stations(_ name: String, _ value: [Station]?) -> [Station]? {
        row(name, .stations(1...StationText.mostAtOnce), [Station(title: "Title", url: "http://host/")])
    }
    mutating func span(_ name: String, _ value: ClosedRange<Int>?) -> ClosedRange<Int>? { row(name, .span, 0...100) }
    mutating func place(_ value: Place?) -> Place {
        _ = row("at", .place, Place.end, usual: "end")
        return row("else", .word, .end)
    }
    mutating func anchor(_ value: Place?) -> Place {
        _ = row("after", .anchor, Place.end)
        rows[rows.count - 1].isRequired = true
        return row("else", .word, .end)
    }
    mutating func rule(_ name: String, _ value: SmartRule?) -> SmartRule? { row(name, .rule, nil) }
    mutating func edits(_ name: String, _ value: [PlaylistRequest.Op]?) -> [PlaylistRequest.Op]? {
        row(name, .edits(1...limits.playlistOps), [])
    }

    mutating func required<Value>(_ name: String, _ value: Value?) throws(ProtocolFault) -> Value {
        for index in rows.indices where rows[index].name == name { rows[index].isRequired = true }
        guard let value else { throw ProtocolFault(.internal, "There is no sample of \(name).", at: "/p/\(name)") }
        return value
    }

    mutating func notBuilt(_ name: String) {
        rows.append(ParameterDescription(name: name, form: .word, isReserved: true))
    }
}
