import BatonCore
import BatonProtocol

/// Readers for kinds of parameters that commands share.
extension Fields {
    func entry(_ name: String) throws(ProtocolFault) -> EntryID? {
        try read(name, as: "an entry's id", reading: Self.entry)
    }

    /// Accepts only the hub's own spelling, so that equal ids are equal texts.
    private static func entry(_ value: JSON) -> EntryID? { value.string.flatMap { EntryID(text: $0) } }

    func entries(_ name: String, count: ClosedRange<Int>) throws(ProtocolFault) -> [EntryID]? {
        try list(name, count: count, of: "an entry's id", Self.entry)
    }

    func uri(_ name: String) throws(ProtocolFault) -> ItemURI? {
        try read(name, as: "text without control characters", reading: Self.uri)
    }

    func uris(_ name: String, _ limits: WireLimits) throws(ProtocolFault) -> [ItemURI]? {
        guard let uris = try list(name, count: 1...limits.json.elements, of: "a uri", Self.uri) else { return nil }
        guard uris.count <= limits.queueAdd else { throw tooMany(name, limits) }
        return uris
    }

    /// The fault of a list that names more items than one command may.
    func tooMany(_ name: String, _ limits: WireLimits) -> ProtocolFault {
        ProtocolFault(
            .tooLarge, "At most \(limits.queueAdd) items can be added at once.", at: pointer(name),
            reason: Reason(.tooMany, ["max": .int(Int64(limits.queueAdd))]))
    }

    /// Reads a URI; a source resolves it later.
    static func uri(_ value: JSON) -> ItemURI? {
        guard let text = value.string, !text.isEmpty, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        return ItemURI(text)
    }

    func choices<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, of noun: String) throws(ProtocolFault) -> [Choice]? {
        try list(name, count: 1...Choice.allCases.count, of: noun) { $0.string.flatMap(Choice.init(rawValue:)) }
    }

    func rule(_ name: String) throws(ProtocolFault) -> SmartRule? {
        try fields(name).map { rule throws(ProtocolFault) in
            try SmartRule.refuseUnknown(in: rule)
            return try SmartRule(from: rule)
        }
    }

    /// An entry, or null for the head of the queue.
    private func after() throws(ProtocolFault) -> EntryID? {
        guard let value = object["after"] else { throw missing("after") }
        return value.isNull ? nil : try entry("after")
    }

    /// Reads `after` and `else`: a place after an entry, or null for the head.
    func anchor() throws(ProtocolFault) -> InsertionPoint { .after(try after(), orEnd: try orEnd()) }

    /// Whether a missing anchor means the end.
    private func orEnd() throws(ProtocolFault) -> Bool {
        enum Else: String, CaseIterable { case end }
        let choice: Else? = try choice("else")
        return choice != nil
    }

    /// Reads `next`, `end` or `{"after":entry}`; the end if it is absent.
    func place() throws(ProtocolFault) -> InsertionPoint {
        let orEnd = try orEnd()
        switch object["at"] {
        case nil, .string("end"): return .end
        case .string("next"): return .next
        case .object(let object):
            let at = Fields(object, path: pointer("at"))
            try at.refuseUnknown { $0 == "after" }
            return .after(try at.after(), orEnd: orEnd)
        default: throw fault("at", "at must be next, end or {\"after\":entry}.")
        }
    }

    /// Reads a name that people read in lists, speak and type.
    func personalName(_ name: String) throws(ProtocolFault) -> String? {
        let text = try string(name, of: "text of 1 to 64 characters, without control characters") { text in
            // Counts code points, as JSON Schema does; one visible character may be several.
            1...64 ~= text.unicodeScalars.count && text.utf8.count <= 256 && !text.unicodeScalars.contains(where: \.isControl)
        }
        if text?.first?.isWhitespace == true || text?.last?.isWhitespace == true {
            throw fault(name, "\(name) must not begin or end with a space.")
        }
        return text
    }

    /// Reads a device by the player's name for it; null is the hub's default.
    func output(_ name: String) throws(ProtocolFault) -> Patch<String> {
        if object[name]?.isNull == true { return .cleared }
        let text = try string(name, of: "a device's name, or null") { text in
            1...256 ~= text.utf8.count && !text.unicodeScalars.contains(where: \.isControl)
        }
        return text.map(Patch.set) ?? .unchanged
    }

    /// Reads an absolute path on the hub's machine.
    func folder(_ name: String) throws(ProtocolFault) -> String? {
        guard let path = try string(name, bytes: 1...4096) else { return nil }
        guard path.hasPrefix("/"), !path.utf8.contains(0) else { throw fault(name, "\(name) must be a folder's whole path, from / on.") }
        return path
    }

    /// Reads `[from, to]`, two levels.
    func span(_ name: String) throws(ProtocolFault) -> ClosedRange<Int>? {
        guard let levels = try ints(name, count: 2...2, in: 0...100, of: "a level from 0 to 100") else { return nil }
        guard levels[0] <= levels[1] else { throw fault(name, "\(name) must not end before it begins.") }
        return levels[0]...levels[1]
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
