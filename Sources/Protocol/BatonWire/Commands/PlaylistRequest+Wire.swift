import BatonCore
import BatonProtocol

/// How `PlaylistRequest` and what belongs to it are read from JSON.
extension PlaylistRequest {
    static func decode(_ kind: RequestKind, _ p: Fields, _ limits: WireLimits) throws(ProtocolFault) -> PlaylistRequest? {
        switch kind {
        case .playlistList:
            .list(from: try p.int("from", in: 0...limits.playlistLength) ?? 0, limit: try p.int("limit", in: 1...100) ?? 100)
        case .playlistGet:
            .get(
                try p.playlist(), from: try p.int("from", in: 0...limits.playlistLength) ?? 0,
                count: try p.int("n", in: 1...100) ?? 100)
        case .playlistCreate: try create(p, limits)
        case .playlistDelete: .delete(try p.playlist())
        case .playlistEdit: try edit(p, limits)
        default: nil
        }
    }

    private static func create(_ p: Fields, _ limits: WireLimits) throws(ProtocolFault) -> PlaylistRequest {
        let name = try p.required("name", p.peoplesName("name"))
        let rule = try p.fields("rule").map { rule throws(ProtocolFault) in try SmartRule(from: rule) }
        let uris = p.has("uris") ? try p.uris(limits) : []
        if rule != nil, !uris.isEmpty { throw p.fault("uris", "A rule fills this playlist: name items or a rule, not both.") }
        return .create(name: name, uris, rule: rule)
    }

    private static func edit(_ p: Fields, _ limits: WireLimits) throws(ProtocolFault) -> PlaylistRequest {
        let base = try p.int("base", in: 0...Int(JSON.largestNumber))
        var ops: [Op] = []
        for (index, op) in try p.required("ops", p.list("ops", count: 1...limits.playlistOps)).enumerated() {
            guard case .object(let object) = op else { throw p.fault("ops/\(index)", "Each of ops must be an object.") }
            ops.append(try Op(Fields(object, path: p.pointer("ops/\(index)")), limits))
        }
        let added = ops.reduce(0) { if case .add(let uris, _) = $1 { $0 + uris.count } else { $0 } }
        guard added <= limits.queueAdd else {
            throw ProtocolFault(.tooLarge, "At most \(limits.queueAdd) items can be added at once.", at: p.pointer("ops"))
        }
        if base == nil, ops.contains(.plain(.clear)) {
            throw p.fault("base", "base is missing: clearing a playlist names the revision it was looked at.")
        }
        return .edit(try p.playlist(), base: base, ops)
    }
}

extension PlaylistRequest.Op {
    private static let verbs = ["add", "remove", "move", "clear", "name", "rule", "undo"]

    fileprivate init(_ p: Fields, _ limits: WireLimits) throws(ProtocolFault) {
        let named = Self.verbs.filter(p.has)
        guard named.count == 1, let verb = named.first else {
            throw ProtocolFault(.badRequest, "An op has exactly one of \(Self.verbs.joined(separator: ", ")).", at: p.path)
        }
        switch verb {
        case "add": self = .add(try p.uris(limits, "add"), at: try p.placeInList())
        case "remove": self = .plain(.remove(try p.required("remove", p.entries("remove", count: 1...limits.json.elements))))
        case "move":
            let moved = try p.required("move", p.entries("move", count: 1...limits.json.elements))
            self = .plain(.move(moved, to: .after(try p.anchor("after"), orEnd: try p.orEnd())))
        case "clear":
            try p.saysOne("clear")
            self = .plain(.clear)
        case "name": self = .plain(.rename(try p.required("name", p.peoplesName("name"))))
        case "rule": self = .plain(.rule(try SmartRule(from: try p.required("rule", p.fields("rule")))))
        default:
            try p.saysOne("undo")
            self = .plain(.undo)
        }
    }
}

extension Fields {
    fileprivate func playlist() throws(ProtocolFault) -> PlaylistID {
        PlaylistID(try required("id", token("id", length: 1...32)))
    }

    /// A verb without anything to say beside itself.
    fileprivate func saysOne(_ name: String) throws(ProtocolFault) {
        guard object[name] == .int(1) || object[name] == .bool(true) else { throw fault(name, "\(name) must be 1.") }
    }

    /// A playlist has no current entry that something could come next to.
    fileprivate func placeInList() throws(ProtocolFault) -> Place {
        if object["at"] == .string("next") { throw fault("at", "at must be end or {\"after\":entry}.") }
        return try place()
    }
}
