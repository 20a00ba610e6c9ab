import BatonCore
import BatonProtocol

/// Reads the parameters of a command from the members of its `p`. A number out of range is refused and never changed, so
/// that a remote cannot show another value than the hub uses.
struct ParameterReader: ParameterCoder {
    let limits: WireLimits
    private let p: Fields

    init(_ params: JSONObject, _ limits: WireLimits) {
        p = Fields(params, path: "/p")
        self.limits = limits
    }

    func int(_ name: String, _ value: Int?, in range: ClosedRange<Int>) throws(ProtocolFault) -> Int? { try p.int(name, in: range) }
    func int(_ name: String, _ value: Int?, in range: ClosedRange<Int>, default usual: Int) throws(ProtocolFault) -> Int {
        try p.int(name, in: range) ?? usual
    }
    func bool(_ name: String, _ value: Bool?) throws(ProtocolFault) -> Bool? { try p.bool(name) }
    func bool(_ name: String, _ value: Bool?, default usual: Bool) throws(ProtocolFault) -> Bool { try p.bool(name) ?? usual }
    func text(_ name: String, _ value: String?, bytes: ClosedRange<Int>) throws(ProtocolFault) -> String? {
        try p.string(name, bytes: bytes)
    }
    func token(_ name: String, _ value: String?, length: ClosedRange<Int>) throws(ProtocolFault) -> String? {
        try p.token(name, length: length)
    }
    func choice<Choice: ParameterChoice>(_ name: String, _ value: Choice?) throws(ProtocolFault) -> Choice? { try p.choice(name) }
    func choice<Choice: ParameterChoice>(_ name: String, _ value: Choice?, default usual: Choice) throws(ProtocolFault) -> Choice {
        try p.choice(name) ?? usual
    }
    func choices<Choice: ParameterChoice>(_ name: String, _ value: [Choice]?, of noun: String) throws(ProtocolFault) -> [Choice]? {
        try p.list(name, count: 1...Choice.allCases.count, of: noun) { $0.string.flatMap(Choice.init(rawValue:)) }
    }
    func entry(_ name: String, _ value: EntryID?) throws(ProtocolFault) -> EntryID? { try p.entry(name) }
    func entries(_ name: String, _ value: [EntryID]?, most: Int) throws(ProtocolFault) -> [EntryID]? {
        try p.entries(name, count: 1...most)
    }
    func uri(_ name: String, _ value: ItemURI?) throws(ProtocolFault) -> ItemURI? { try p.uri(name) }
    func uris(_ name: String, _ value: [ItemURI]?) throws(ProtocolFault) -> [ItemURI]? { p.has(name) ? try p.uris(limits, name) : nil }
    func personalName(_ name: String, _ value: String?) throws(ProtocolFault) -> String? { try p.personalName(name) }
    func output(_ name: String, _ value: Patch<String>?) throws(ProtocolFault) -> Patch<String> { try p.output(name) }
    func folder(_ name: String, _ value: String?) throws(ProtocolFault) -> String? { try p.folder(name) }
    func sourceName(_ name: String, _ value: String?) throws(ProtocolFault) -> String? { try p.sourceName(name) }
    func serverURL(_ name: String, _ value: String?) throws(ProtocolFault) -> String? { try p.serverURL(name) }
    func options(_ name: String, _ value: [String: String]?) throws(ProtocolFault) -> [String: String]? { try p.options(name) }
    func stations(_ name: String, _ value: [Station]?) throws(ProtocolFault) -> [Station]? { try p.stations(name) }
    func span(_ name: String, _ value: ClosedRange<Int>?) throws(ProtocolFault) -> ClosedRange<Int>? { try p.span(name) }
    func place(_ value: Place?) throws(ProtocolFault) -> Place { try p.place() }
    func anchor(_ value: Place?) throws(ProtocolFault) -> Place { .after(try p.anchor("after"), orEnd: try p.orEnd()) }
    func rule(_ name: String, _ value: SmartRule?) throws(ProtocolFault) -> SmartRule? {
        try p.fields(name).map { rule throws(ProtocolFault) in try SmartRule(from: rule) }
    }
    func edits(_ name: String, _ value: [PlaylistRequest.Op]?) throws(ProtocolFault) -> [PlaylistRequest.Op]? {
        p.has(name) ? try p.edits(name, limits) : nil
    }
    func required<Value>(_ name: String, _ value: Value?) throws(ProtocolFault) -> Value { try p.required(name, value) }
    func notBuilt(_ name: String) throws(ProtocolFault) {
        guard p.has(name) else { return }
        throw ProtocolFault(.unsupported, "This hub cannot set \(name) yet.", at: p.pointer(name))
    }
}
