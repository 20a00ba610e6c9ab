import BatonCore
import BatonProtocol

/// Writes the parameters of a command as the members of `p`. Parameters at their default are left out.
struct ParameterWriter: ParameterCoder {
    let limits = WireLimits.standard
    private(set) var params = JSONObject()

    static func params<Command: CommandRequest>(of command: Command) throws(ProtocolFault) -> JSONObject {
        var writer = ParameterWriter()
        _ = try Command.coded(command, &writer)
        return writer.params
    }

    /// Each parameter is declared once, so its name is new.
    private mutating func write<Value>(_ name: String, _ value: Value?, _ json: (Value) -> JSON) -> Value? {
        if let value { params[name] = json(value) }
        return value
    }

    private mutating func write<Value: Equatable>(
        _ name: String, _ value: Value?, unless usual: Value, _ json: (Value) -> JSON
    ) -> Value {
        if let value, value != usual { params[name] = json(value) }
        return value ?? usual
    }

    mutating func int(_ name: String, _ value: Int?, in range: ClosedRange<Int>) -> Int? { write(name, value) { .int(Int64($0)) } }
    mutating func int(_ name: String, _ value: Int?, in range: ClosedRange<Int>, default usual: Int) -> Int {
        write(name, value, unless: usual) { .int(Int64($0)) }
    }
    mutating func bool(_ name: String, _ value: Bool?) -> Bool? { write(name, value) { .bool($0) } }
    mutating func bool(_ name: String, _ value: Bool?, default usual: Bool) -> Bool { write(name, value, unless: usual) { .bool($0) } }
    mutating func text(_ name: String, _ value: String?, bytes: ClosedRange<Int>) -> String? { write(name, value) { .string($0) } }
    mutating func token(_ name: String, _ value: String?, length: ClosedRange<Int>) -> String? { write(name, value) { .string($0) } }
    mutating func choice<Choice: ParameterChoice>(_ name: String, _ value: Choice?) -> Choice? {
        write(name, value) { .string($0.rawValue) }
    }
    mutating func choice<Choice: ParameterChoice>(_ name: String, _ value: Choice?, default usual: Choice) -> Choice {
        write(name, value, unless: usual) { .string($0.rawValue) }
    }
    mutating func choices<Choice: ParameterChoice>(_ name: String, _ value: [Choice]?, of noun: String) -> [Choice]? {
        write(name, value) { .array($0.map { .string($0.rawValue) }) }
    }
    mutating func entry(_ name: String, _ value: EntryID?) -> EntryID? { write(name, value) { .string($0.text) } }
    mutating func entries(_ name: String, _ value: [EntryID]?, most: Int) -> [EntryID]? { write(name, value, JSON.init(entries:)) }
    mutating func uri(_ name: String, _ value: ItemURI?) -> ItemURI? { write(name, value) { .string($0.text) } }
    mutating func uris(_ name: String, _ value: [ItemURI]?) -> [ItemURI]? { write(name, value) { .array($0.map { .string($0.text) }) } }
    mutating func personalName(_ name: String, _ value: String?) -> String? { write(name, value) { .string($0) } }
    mutating func output(_ name: String, _ value: Patch<String>?) -> Patch<String> {
        switch value ?? .unchanged {
        case .unchanged: break
        case .cleared: params[name] = .null
        case .set(let output): params[name] = .string(output)
        }
        return value ?? .unchanged
    }
    mutating func folder(_ name: String, _ value: String?) -> String? { write(name, value) { .string($0) } }
    mutating func sourceName(_ name: String, _ value: String?) -> String? { write(name, value) { .string($0) } }
    mutating func serverURL(_ name: String, _ value: String?) -> String? { write(name, value) { .string($0) } }
    mutating func options(_ name: String, _ value: [String: String]?) -> [String: String]? {
        write(name, value, JSON.init(options:))
    }
    mutating func stations(_ name: String, _ value: [Station]?) -> [Station]? {
        write(name, value) { .array($0.map { JSON(station: $0) }) }
    }
    mutating func span(_ name: String, _ value: ClosedRange<Int>?) -> ClosedRange<Int>? {
        write(name, value) { [.int(Int64($0.lowerBound)), .int(Int64($0.upperBound))] }
    }
    mutating func place(_ value: Place?) -> Place {
        params.write(place: value ?? .end)
        return value ?? .end
    }
    mutating func anchor(_ value: Place?) -> Place {
        params.write(anchor: value ?? .end)
        return value ?? .end
    }
    mutating func rule(_ name: String, _ value: SmartRule?) -> SmartRule? { write(name, value, JSON.init(rule:)) }
    mutating func edits(_ name: String, _ value: [PlaylistRequest.Op]?) -> [PlaylistRequest.Op]? {
        write(name, value) { .array($0.map(JSON.init(edit:))) }
    }
    func required<Value>(_ name: String, _ value: Value?) throws(ProtocolFault) -> Value {
        guard let value else { throw ProtocolFault(.badRequest, "\(name) is missing.", at: "/p/\(name)") }
        return value
    }
    func notBuilt(_ name: String) {}
}

extension JSON {
    fileprivate init(entries: [EntryID]) { self = .array(entries.map { .string($0.text) }) }

    fileprivate init(rule: SmartRule) {
        let conditions = rule.conditions.map { condition -> JSON in
            ["f": .string(condition.field.rawValue), "is": .string(condition.relation.rawValue), "v": .string(condition.value)]
        }
        var object: JSONObject = [rule.matchesAny ? "any" : "all": .array(conditions)]
        if rule.order != .artist { object["order"] = .string(rule.order.rawValue) }
        if rule.isDescending { object["desc"] = 1 }
        if rule.limit != 500 { object["limit"] = .int(Int64(rule.limit)) }
        self = .object(object)
    }

    fileprivate init(edit: PlaylistRequest.Op) {
        var object = JSONObject()
        switch edit {
        case .add(let uris, let place):
            object["add"] = .array(uris.map { .string($0.text) })
            object.write(place: place)
        case .plain(.remove(let ids)): object["remove"] = JSON(entries: ids)
        case .plain(.move(let ids, let place)):
            object["move"] = JSON(entries: ids)
            object.write(anchor: place)
        case .plain(.clear): object["clear"] = 1
        case .plain(.rename(let name)): object["name"] = .string(name)
        case .plain(.rule(let rule)): object["rule"] = JSON(rule: rule)
        case .plain(.undo): object["undo"] = 1
        case .placed(.insert(let uris, let place)):
            object["add"] = .array(uris.map { .string($0.text) })
            object["place"] = .int(Int64(place))
        case .placed(.remove(let places)): object["removeAt"] = .array(places.map { .int(Int64($0)) })
        case .placed(.move(let from, let to)):
            object["moveAt"] = .int(Int64(from))
            object["to"] = .int(Int64(to))
        case .placed(.describe(let text)), .plain(.describe(let text)): object["about"] = .string(text)
        case .placed(.publish(let isPublic)): object["public"] = .bool(isPublic)
        case .plain(.add): break  // Only the hub makes these, after a source has resolved the items.
        }
        self = .object(object)
    }
}

extension JSONObject {
    /// The end of the queue is the default, and is left out.
    fileprivate mutating func write(place: Place) {
        switch place {
        case .end: break
        case .next: self["at"] = "next"
        case .after(let anchor, let orEnd):
            self["at"] = ["after": anchor.map { .string($0.text) } ?? .null]
            if orEnd { self["else"] = "end" }
        }
    }

    fileprivate mutating func write(anchor place: Place) {
        guard case .after(let anchor, let orEnd) = place else { return }
        self["after"] = anchor.map { .string($0.text) } ?? .null
        if orEnd { self["else"] = "end" }
    }
}
