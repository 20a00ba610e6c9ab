import BatonCore
import BatonProtocol

/// The parameters of each command that is built. A number out of range is refused, never bent: what a
/// remote shows and what the hub does must not drift apart in silence.
extension Request {
    static func decode(_ kind: RequestKind, _ p: Fields, _ limits: WireLimits) throws(ProtocolFault) -> Request {
        switch kind {
        case .play: try play(p, limits)
        case .pause: .room(.pause)
        case .stop: .room(.stop)
        case .toggle: try toggle(p)
        case .next: .room(.next(from: try p.entry("from"), count: try p.int("n", in: 1...100) ?? 1))
        case .prev: .room(.previous(from: try p.entry("from"), restartMs: try p.int("restartMs", in: 0...600_000) ?? 3000))
        case .jump: .room(.jump(try p.required("entry", p.entry("entry"))))
        case .seek:
            .room(.seek(entry: try p.entry("entry"), toMs: try p.required("posMs", p.int("posMs", in: 0...Fields.longestMs))))
        case .seekBy:
            .room(
                .skip(
                    entry: try p.entry("entry"), byMs: try p.required("ms", p.int("ms", in: -Fields.longestMs...Fields.longestMs))))
        case .volumeSet: .room(.setLevel(try p.required("level", p.int("level", in: 0...100))))
        case .volumeStep: .room(.stepLevel(by: try p.required("d", p.int("d", in: -100...100))))
        case .volumeMute: .room(.setMute(try p.required("on", p.bool("on"))))
        case .modeSet: try modes(p)
        case .queueGet: try window(p, limits)
        case .queueAdd: .add(try p.uris(limits), at: try p.place())
        case .queueRemove: .room(.remove(try p.required("ids", p.entries("ids", count: 1...limits.json.elements))))
        case .queueMove: try move(p, limits)
        case .queueClear: .room(.clear(base: try p.base(), keep: try p.choice("keep") ?? .none))
        case .queueReplace: try replace(p, limits)
        case .queueShuffle: .room(.shuffle(base: try p.base()))
        case .queueUndo: .room(.undo)
        case .queueHistory: .queueHistory
        case .roomCreate: try RoomRequest.create(p)
        case .roomRename: try RoomRequest.rename(p)
        case .roomDelete: try RoomRequest.delete(p)
        case .roomSet: try RoomRequest.set(p)
        case .roomMove: try RoomRequest.move(p)
        case .hubInfo: .hubInfo
        case .artGet: .art(try ArtRequest(p))
        default: try others(kind, p, limits) ?? .unsupported(kind)
        }
    }

    private static func others(_ kind: RequestKind, _ p: Fields, _ limits: WireLimits) throws(ProtocolFault) -> Request? {
        if let request = try LibraryRequest.decode(kind, p) { return .library(request) }
        if let request = try PlaylistRequest.decode(kind, p, limits) { return .playlists(request) }
        return try DeviceRequest.decode(kind, p).map { .devices($0) }
    }

    private static func play(_ p: Fields, _ limits: WireLimits) throws(ProtocolFault) -> Request {
        let position = try p.int("posMs", in: 0...Fields.longestMs)
        let entry = try p.entry("entry")
        guard let uri = try p.uri("uri") else {
            if p.has("index") { throw p.fault("index", "index counts within what uri names, and uri is missing.") }
            return .room(.play(entry: entry, positionMs: position))
        }
        if entry != nil { throw p.fault("entry", "Name an entry of the queue or a uri, not both.") }
        return .play(uri: uri, index: try p.int("index", in: 0...(limits.queueLength - 1)) ?? 0, positionMs: position ?? 0)
    }

    /// `toggle` says what is wanted, so that two people pressing it do not undo each other.
    private static func toggle(_ p: Fields) throws(ProtocolFault) -> Request {
        enum Want: String, CaseIterable { case playing, paused }
        let want: Want = try p.required("want", p.choice("want"))
        return switch want {
        case .playing: .room(.play())
        case .paused: .room(.pause)
        }
    }

    private static let modesNotBuilt = ["crossfadeMs", "autoplay"]

    private static func modes(_ p: Fields) throws(ProtocolFault) -> Request {
        for name in modesNotBuilt where p.has(name) {
            throw ProtocolFault(.unsupported, "This hub cannot set \(name) yet.", at: p.pointer(name))
        }
        var change = ModeChange(
            repeat: try p.choice("repeat"), shuffle: try p.bool("shuffle"), speed: try p.int("speed", in: Modes.speedRange),
            gain: try p.choice("gain"), preampDb: try p.int("preampDb", in: Modes.preampRange))
        if let named: NamedMode = try p.choice("mode") {
            // The two contradict each other, so both together are refused.
            for name in ["repeat", "shuffle"] where p.has(name) { throw p.fault(name, "Name a mode, or repeat and shuffle, not both.") }
            change.repeat = named.change.repeat
            change.shuffle = named.change.shuffle
        }
        return .room(.setModes(change))
    }

    private static func window(_ p: Fields, _ limits: WireLimits) throws(ProtocolFault) -> Request {
        if let ids = try p.entries("ids", count: 1...limits.queueWindow) { return .queueRows(ids) }
        return .queueWindow(
            from: try p.int("from", in: 0...limits.queueLength) ?? 0,
            count: try p.int("n", in: 1...limits.queueWindow) ?? limits.queueWindow)
    }

    private static func move(_ p: Fields, _ limits: WireLimits) throws(ProtocolFault) -> Request {
        let ids = try p.required("ids", p.entries("ids", count: 1...limits.json.elements))
        return .room(.move(ids, to: .after(try p.anchor("after"), orEnd: try p.orEnd())))
    }

    private static func replace(_ p: Fields, _ limits: WireLimits) throws(ProtocolFault) -> Request {
        let uris = try p.uris(limits)
        return .replace(
            base: try p.base(), uris, start: try p.int("start", in: 0...(limits.queueLength - 1)) ?? 0,
            positionMs: try p.int("posMs", in: 0...Fields.longestMs) ?? 0)
    }
}

/// The kinds of parameter that commands share.
extension Fields {
    /// Twenty-four days, the longest a 32-bit millisecond count can name.
    static let longestMs = Int(Int32.max)

    func entry(_ name: String) throws(ProtocolFault) -> EntryID? {
        guard let value = object[name] else { return nil }
        guard let entry = Self.entry(value) else { throw fault(name, "\(name) must be an entry's id.") }
        return entry
    }

    /// Only the one spelling that the hub itself uses, so that equal ids are equal texts.
    private static func entry(_ value: JSON) -> EntryID? {
        guard let text = value.string, let entry = EntryID(text: text), entry.text == text else { return nil }
        return entry
    }

    func entries(_ name: String, count: ClosedRange<Int>) throws(ProtocolFault) -> [EntryID]? {
        try list(name, count: count, of: "an entry's id", Self.entry)
    }

    func uri(_ name: String) throws(ProtocolFault) -> ItemURI? {
        guard let value = object[name] else { return nil }
        guard let uri = Self.uri(value) else { throw fault(name, "\(name) must be text without control characters.") }
        return uri
    }

    func uris(_ limits: WireLimits, _ name: String = "uris") throws(ProtocolFault) -> [ItemURI] {
        let uris = try required(name, list(name, count: 1...limits.json.elements, of: "a uri", Self.uri))
        guard uris.count <= limits.queueAdd else {
            throw ProtocolFault(.tooLarge, "At most \(limits.queueAdd) items can be added at once.", at: pointer(name))
        }
        return uris
    }

    /// What it means is for the sources to say.
    static func uri(_ value: JSON) -> ItemURI? {
        guard let text = value.string, !text.isEmpty, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        return ItemURI(text)
    }

    /// The queue revision that a whole-queue command was made for.
    func base() throws(ProtocolFault) -> Int { try required("base", int("base", in: 0...Int(JSON.largestNumber))) }

    /// An entry, or null for the head of the queue.
    func anchor(_ name: String) throws(ProtocolFault) -> EntryID? {
        guard let value = object[name] else { throw missing(name) }
        return value.isNull ? nil : try entry(name)
    }

    /// Whether a vanished anchor means the end.
    func orEnd() throws(ProtocolFault) -> Bool {
        enum Else: String, CaseIterable { case end }
        let choice: Else? = try choice("else")
        return choice != nil
    }

    /// `next`, `end` or `{"after":entry}`; the end when nothing is said.
    func place() throws(ProtocolFault) -> Place {
        let orEnd = try orEnd()
        switch object["at"] {
        case nil, .string("end"): return .end
        case .string("next"): return .next
        case .object(let object): return .after(try Fields(object, path: pointer("at")).anchor("after"), orEnd: orEnd)
        default: throw fault("at", "at must be next, end or {\"after\":entry}.")
        }
    }
}
