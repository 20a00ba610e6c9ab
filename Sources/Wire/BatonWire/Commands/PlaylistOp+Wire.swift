import BatonCore
import BatonProtocol

/// Readers for the steps of an edit of a playlist.
extension Fields {
    func edits(_ name: String, _ limits: WireLimits) throws(ProtocolFault) -> [PlaylistOp]? {
        let ops = try elements(name, count: 1...limits.playlistOps) { op throws(ProtocolFault) in try PlaylistOp(op, limits) }
        let added = (ops ?? []).reduce(0) { $0 + $1.added.count }
        guard added <= limits.queueAdd else { throw tooMany(name, limits) }
        return ops
    }
}

extension PlaylistOp {
    fileprivate static let places = 0...9999
    private static let verbs = ["add", "remove", "move", "clear", "name", "rule", "undo", "removeAt", "moveAt", "about", "public"]
    /// The members of an op beside its verb.
    private static let others = ["at", "else", "after", "place", "to"]

    fileprivate var added: [ItemURI] {
        switch self {
        case .add(let uris, _), .indexed(.insert(let uris, _)): uris
        default: []
        }
    }

    fileprivate init(_ p: Fields, _ limits: WireLimits) throws(ProtocolFault) {
        let named = Self.verbs.filter(p.has)
        try p.refuseUnknown { Self.verbs.contains($0) || Self.others.contains($0) }
        guard named.count == 1, let verb = named.first else {
            throw ProtocolFault(.badRequest, "An op has exactly one of \(Self.verbs.joined(separator: ", ")).", at: p.path)
        }
        switch verb {
        case "add" where p.has("place"):
            self = .indexed(
                .insert(try p.required("add", p.uris("add", limits)), at: try p.required("place", p.int("place", in: Self.places))))
        case "removeAt":
            let places = try p.ints("removeAt", count: 1...limits.json.elements, in: Self.places, of: "a place")
            self = .indexed(.remove(try p.required("removeAt", places)))
        case "moveAt":
            let from = try p.required("moveAt", p.int("moveAt", in: Self.places))
            self = .indexed(.move(from: from, to: try p.required("to", p.int("to", in: Self.places))))
        case "about": self = .indexed(.describe(try p.required("about", p.string("about", bytes: 0...1024))))
        case "public": self = .indexed(.publish(try p.required("public", p.bool("public"))))
        case "add": self = .add(try p.required("add", p.uris("add", limits)), at: try p.indexInList())
        case "remove": self = .plain(.remove(try p.required("remove", p.entries("remove", count: 1...limits.json.elements))))
        case "move":
            self = .plain(.move(try p.required("move", p.entries("move", count: 1...limits.json.elements)), to: try p.anchor()))
        case "clear": self = try p.plain(.clear, as: "clear")
        case "name": self = .plain(.rename(try p.required("name", p.personalName("name"))))
        case "rule": self = .plain(.rule(try p.required("rule", p.rule("rule"))))
        default: self = try p.plain(.undo, as: "undo")
        }
    }
}

extension Fields {
    /// The step of a verb without parameters, whose value is 1.
    fileprivate func plain(_ step: PlaylistEdit, as name: String) throws(ProtocolFault) -> PlaylistOp {
        guard object[name] == .int(1) || object[name] == .bool(true) else { throw fault(name, "\(name) must be 1.") }
        return .plain(step)
    }

    /// A playlist has no current entry, so `next` is refused.
    fileprivate func indexInList() throws(ProtocolFault) -> InsertionPoint {
        if object["at"] == .string("next") { throw fault("at", "at must be end or {\"after\":entry}.") }
        return try place()
    }
}
