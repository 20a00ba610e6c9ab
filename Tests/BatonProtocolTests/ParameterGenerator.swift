import BatonCore
import BatonProtocol

/// Draws valid parameters, some of them absent, so that any command can build a random one of itself.
struct ParameterGenerator: ParameterCoder {
    let limits = WireLimits.standard
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
    private mutating func number(in range: ClosedRange<Int>) -> Int {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: range.lowerBound
        case 1: range.upperBound
        default: Int.random(in: range, using: &random)
        }
    }
    private mutating func word(_ length: ClosedRange<Int>) -> String {
        let letters = Array("abcXYZ019-_")
        return String(
            (0..<number(in: length.lowerBound...min(length.upperBound, 40))).map { _ in letters.randomElement(using: &random) ?? "a" })
    }
    private mutating func anEntry() -> EntryID { EntryID(UInt64.random(in: 0...UInt64(1) << 50, using: &random)) }
    private mutating func someEntries() -> [EntryID] { (0...Int.random(in: 0..<5, using: &random)).map { _ in anEntry() } }
    private mutating func aURI() -> ItemURI { ItemURI("lib:track/" + word(1...12)) }
    private mutating func someURIs() -> [ItemURI] { (0...Int.random(in: 0..<5, using: &random)).map { _ in aURI() } }
    private mutating func anAnchor() -> Place { .after(maybe(anEntry()), orEnd: .random(using: &random)) }
    private mutating func aRule() -> SmartRule {
        SmartRule(
            [.init(.stars, .atLeast, "4"), .init(.genre, .has, word(0...9))], matchesAny: .random(using: &random),
            order: SmartRule.Order.allCases.randomElement(using: &random) ?? .title, isDescending: .random(using: &random),
            limit: number(in: 1...SmartRule.most))
    }

    mutating func int(_ name: String, _ value: Int?, in range: ClosedRange<Int>) -> Int? { maybe(number(in: range)) }
    mutating func int(_ name: String, _ value: Int?, in range: ClosedRange<Int>, default usual: Int) -> Int {
        maybe(number(in: range)) ?? usual
    }
    mutating func bool(_ name: String, _ value: Bool?) -> Bool? { maybe(.random(using: &random)) }
    mutating func bool(_ name: String, _ value: Bool?, default usual: Bool) -> Bool { .random(using: &random) }
    mutating func text(_ name: String, _ value: String?, bytes: ClosedRange<Int>) -> String? { maybe(word(bytes) + "") }
    mutating func token(_ name: String, _ value: String?, length: ClosedRange<Int>) -> String? { maybe(word(length)) }
    mutating func choice<Choice: ParameterChoice>(_ name: String, _ value: Choice?) -> Choice? {
        Bool.random(using: &random) ? Choice.allCases.randomElement(using: &random) : nil
    }
    mutating func choice<Choice: ParameterChoice>(_ name: String, _ value: Choice?, default usual: Choice) -> Choice {
        Choice.allCases.randomElement(using: &random) ?? usual
    }
    mutating func choices<Choice: ParameterChoice>(_ name: String, _ value: [Choice]?, of noun: String) -> [Choice]? {
        maybe(Array(Choice.allCases.prefix(number(in: 1...Choice.allCases.count))))
    }
    mutating func entry(_ name: String, _ value: EntryID?) -> EntryID? { maybe(anEntry()) }
    mutating func entries(_ name: String, _ value: [EntryID]?, most: Int) -> [EntryID]? { maybe(someEntries()) }
    mutating func uri(_ name: String, _ value: ItemURI?) -> ItemURI? { maybe(aURI()) }
    mutating func uris(_ name: String, _ value: [ItemURI]?) -> [ItemURI]? { maybe(someURIs()) }
    mutating func personalName(_ name: String, _ value: String?) -> String? { "Küche \"1\" " + word(1...20) }
    mutating func output(_ name: String, _ value: Patch<String>?) -> Patch<String> {
        // The absent output of a new room and null mean the same.
        Bool.random(using: &random) ? .unchanged : .set("alsa/" + word(1...20))
    }
    mutating func folder(_ name: String, _ value: String?) -> String? { "/music/" + word(0...20) }
    mutating func sourceName(_ name: String, _ value: String?) -> String? { maybe("attic-\(number(in: 0...99))") }
    mutating func serverURL(_ name: String, _ value: String?) -> String? {
        maybe(Bool.random(using: &random) ? "https://music.example.org:8443/sub" : "http://[::1]:4533")
    }
    mutating func options(_ name: String, _ value: [String: String]?) -> [String: String]? {
        maybe(["quality": "mp3:192", "sync_queue": word(0...9)])
    }
    mutating func stations(_ name: String, _ value: [Station]?) -> [Station]? {
        maybe([Station(title: "Harbour FM", url: "https://radio.example/\(number(in: 0...99))", country: "France", tags: ["jazz"]).checked!]
        )
    }
    mutating func span(_ name: String, _ value: ClosedRange<Int>?) -> ClosedRange<Int>? {
        let from = number(in: 0...100)
        return maybe(from...number(in: from...100))
    }
    mutating func place(_ value: Place?) -> Place {
        let all: [Place] = [.next, .end, anAnchor()]
        return all.randomElement(using: &random) ?? .end
    }
    mutating func anchor(_ value: Place?) -> Place { anAnchor() }
    mutating func rule(_ name: String, _ value: SmartRule?) -> SmartRule? { maybe(aRule()) }
    mutating func edits(_ name: String, _ value: [PlaylistRequest.Op]?) -> [PlaylistRequest.Op]? {
        let all: [PlaylistRequest.Op] = [
            .add(someURIs(), at: .end), .add(someURIs(), at: anAnchor()), .plain(.remove(someEntries())),
            .plain(.move(someEntries(), to: anAnchor())), .plain(.clear), .plain(.rename("Run")), .plain(.rule(aRule())), .plain(.undo),
        ]
        let placed: [PlaylistRequest.Op] = [
            .add(someURIs(), at: .end), .placed(.insert(someURIs(), at: number(in: 0...9999))),
            .placed(.remove([0, number(in: 0...9999)])),
            .placed(.move(from: number(in: 0...9999), to: 0)), .plain(.rename("Run")), .placed(.describe(word(0...20))),
            .placed(.publish(.random(using: &random))),
        ]
        let drawn = Bool.random(using: &random) ? all : placed
        return Array(drawn.shuffled(using: &random).prefix(number(in: 1...drawn.count)))
    }

    /// What must be there and was drawn as absent is the fault of the drawing: it is drawn until it is there.
    mutating func required<Value>(_ name: String, _ value: Value?) throws(ProtocolFault) -> Value {
        guard let value else { throw ProtocolFault(.badRequest, "\(name) was drawn as absent.") }
        return value
    }
    mutating func notBuilt(_ name: String) {}
}
