import BatonCore
import BatonProtocol

/// Writers for kinds of parameters that are more than a text or a number.
extension JSON {
    init(span: ClosedRange<Int>) { self = [.int(Int64(span.lowerBound)), .int(Int64(span.upperBound))] }

    private init(entries: [EntryID]) { self = .array(entries.map { .string($0.text) }) }

    init(rule: SmartRule, namingUsual: Bool = false) {
        let conditions = rule.conditions.map { condition -> JSON in
            ["f": .string(condition.field.rawValue), "is": .string(condition.relation.rawValue), "v": .string(condition.value)]
        }
        var object: JSONObject = [rule.matchesAny ? "any" : "all": .array(conditions)]
        if namingUsual || rule.order != .artist { object["order"] = .string(rule.order.rawValue) }
        if rule.isDescending { object["desc"] = 1 }
        if namingUsual || rule.limit != 500 { object["limit"] = .int(Int64(rule.limit)) }
        self = .object(object)
    }

    init(edit: PlaylistOp) {
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
        case .indexed(.insert(let uris, let place)):
            object["add"] = .array(uris.map { .string($0.text) })
            object["place"] = .int(Int64(place))
        case .indexed(.remove(let places)): object["removeAt"] = .array(places.map { .int(Int64($0)) })
        case .indexed(.move(let from, let to)):
            object["moveAt"] = .int(Int64(from))
            object["to"] = .int(Int64(to))
        case .indexed(.describe(let text)), .plain(.describe(let text)): object["about"] = .string(text)
        case .indexed(.publish(let isPublic)): object["public"] = .bool(isPublic)
        case .plain(.add): break  // Only the hub makes these, after a source has resolved the items.
        }
        self = .object(object)
    }
}

extension JSONObject {
    mutating func write(output: Patch<String>, as name: String) {
        switch output {
        case .unchanged: break
        case .cleared: self[name] = .null
        case .set(let output): self[name] = .string(output)
        }
    }

    /// Writes a place. The end of the queue is the default, and is left out.
    mutating func write(place: InsertionPoint) {
        switch place {
        case .end: break
        case .next: self["at"] = "next"
        case .after(let anchor, let orEnd):
            self["at"] = ["after": anchor.map { .string($0.text) } ?? .null]
            if orEnd { self["else"] = "end" }
        }
    }

    mutating func write(anchor place: InsertionPoint) {
        guard case .after(let anchor, let orEnd) = place else { return }
        self["after"] = anchor.map { .string($0.text) } ?? .null
        if orEnd { self["else"] = "end" }
    }
}
