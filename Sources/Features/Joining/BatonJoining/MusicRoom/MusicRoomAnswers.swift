/// Lenient parsing of the server's answers and messages: names in both spellings, flags as true or 1, numbers also as
/// text.
///
/// Missing members stay unknown, invalid ones are left out, and all sizes are limited, because this file is the hub's
/// only protection from a malicious server.
import BatonCore
import BatonJSON
import BatonSeams

/// A track in the server's lists.
struct MusicRoomTrack: Equatable, Sendable {
    var id: String
    var title: String
    var filename: String
    var artist: String
    var album: String
    var durationMs: Milliseconds?
    var isAvailable: Bool
}

struct MusicRoomPlaylist: Equatable, Sendable {
    var id: String
    var name: String
    var owner: String
    var tracks: [String]
}

struct MusicRoomPlaylists: Equatable, Sendable {
    var mine: [MusicRoomPlaylist] = []
    var shared: [MusicRoomPlaylist] = []
}

struct MusicRoomAnswers: Sendable {
    let source: String

    private static let mostRooms = 500
    private static let mostPlaylists = 1_000
    private static let mostHubs = 16
    /// Limit of queue entries, equal to that of the hub's queues.
    private static let mostEntries = PlaybackQueue.limit
    /// Number of entries kept before the current one in a longer queue.
    private static let entriesBefore = 2_000

    // MARK: Tracks

    func track(_ json: JSON) -> MusicRoomTrack? {
        guard let id = Self.id(json, "id", "trackId", "track_id") else { return nil }
        let filename = Self.line(json, "filename", "fileName", "file_name") ?? ""
        return MusicRoomTrack(
            id: id, title: Self.line(json, "title") ?? (filename.isEmpty ? "" : FileTitle.title(filename)), filename: filename,
            artist: Self.line(json, "artist") ?? "", album: Self.line(json, "album") ?? "",
            durationMs: Self.number(json, "duration").flatMap { $0 > 0 && $0 <= Self.mostSeconds ? Milliseconds.seconds($0) : nil },
            isAvailable: Self.flag(json, "available") ?? true)
    }

    /// All tracks of a list; `nil` for invalid text.
    func tracks(_ bytes: [UInt8]) -> [MusicRoomTrack]? {
        guard let pieces = JSONPieces(bytes, members: ["tracks", "library", "items"]),
            (try? JSON.parse(pieces.rest, limits: Self.limits)) != nil
        else { return nil }
        return pieces.elements.indices.compactMap { track(pieces, $0) }
    }

    private func track(_ pieces: JSONPieces, _ index: Int) -> MusicRoomTrack? {
        (try? JSON.parse(pieces.element(index), limits: Self.limits)).flatMap(track)
    }

    func entry(_ track: MusicRoomTrack) -> NewEntry { NewEntry(uri: uri(track.id), tags: tags(track)) }

    func uri(_ id: String) -> ItemURI { MusicRoomItem.track(id).uri(of: source) }

    func tags(_ track: MusicRoomTrack) -> Tags {
        var tags = Tags(
            title: track.title.isEmpty ? track.id : track.title, artists: track.artist.isEmpty ? [] : [track.artist],
            durationMs: track.durationMs)
        tags.album = track.album
        return tags
    }

    // MARK: Rooms

    func rooms(in json: JSON) -> [ServerRoom]? {
        guard let list = json.array ?? json["channels"]?.array else { return nil }
        return list.prefix(Self.mostRooms).compactMap(room)
    }

    private func room(_ json: JSON) -> ServerRoom? {
        guard let id = Self.id(json, "id", "channelId", "channel_id") else { return nil }
        let names = (json["listeners"]?.array ?? []).prefix(ServerRoom.mostPeople).compactMap { one in
            one.string.flatMap { Self.line($0, most: 64) } ?? Self.line(one, "username", "name")
        }
        return ServerRoom(
            id: id, name: Self.line(json, "name", "channelName") ?? id, about: Self.line(json, "description") ?? "",
            trackCount: Self.count(json, "trackCount", "track_count"),
            peopleCount: Self.count(json, "listenerCount", "listener_count") ?? names.count, people: Array(names),
            isDefault: Self.flag(json, "isDefault", "is_default") ?? false, hubs: hubs(json))
    }

    /// The ids of the hubs that play into a room, an extension among hubs.
    private func hubs(_ json: JSON) -> [String] {
        (json["hubs"]?.array ?? []).prefix(Self.mostHubs).compactMap { $0.string }.filter { 1...64 ~= $0.utf8.count }
    }

    // MARK: Messages

    /// Parses a room's message; `nil` for other messages.
    func news(_ bytes: [UInt8], atUs: Microseconds) -> ServerRoomNews? {
        guard let pieces = JSONPieces(bytes, members: ["queue"]), let json = try? JSON.parse(pieces.rest, limits: Self.limits),
            json.object != nil
        else { return nil }
        guard let type = json["type"] else {
            return state(json, pieces).map { .state($0, atUs: atUs) }
        }
        switch type.string {
        case "channel_list": return rooms(in: json).map { .rooms($0) }
        case "switched": return Self.id(json, "channelId", "channel_id").map { .moved(to: $0) }
        case "kick": return .removed(Self.line(json, "reason", "message") ?? "")
        case "error": return .refused(Self.line(json, "message", "error") ?? "")
        default: return nil
        }
    }

    private func state(_ json: JSON, _ pieces: JSONPieces) -> ServerRoomState? {
        guard let room = Self.id(json, "channelId", "channel_id", "id"), json["currentTimestamp"] != nil || json["current_timestamp"] != nil
        else { return nil }
        let index = Self.number(json, "currentIndex", "current_index").flatMap { 0...1e9 ~= $0 ? Int($0) : nil }
        let position = Self.number(json, "currentTimestamp", "current_timestamp") ?? 0
        var state = ServerRoomState(
            room: room, name: Self.line(json, "channelName", "channel_name", "name") ?? room,
            track: json["track"].flatMap(track).map(entry), positionMs: max(0, min(position, Self.mostSeconds)) * 1000,
            isPaused: Self.flag(json, "paused", "isPaused", "is_paused") ?? false, index: index,
            peopleCount: Self.count(json, "listenerCount", "listener_count") ?? 0,
            mode: (Self.line(json, "playbackMode", "playback_mode")).flatMap { NamedMode(rawValue: $0) }, hubs: hubs(json))
        if json["queue"]?.array != nil { state.queue = queue(pieces, around: index ?? 0) }
        return state
    }

    /// The queue of a room. An unreadable entry stays as a placeholder, because positions count.
    private func queue(_ pieces: JSONPieces, around index: Int) -> ServerRoomState.Queue {
        let count = pieces.elements.count
        let start = count <= Self.mostEntries ? 0 : max(0, min(index - Self.entriesBefore, count - Self.mostEntries))
        let entries = (start..<min(count, start + Self.mostEntries)).map { place in
            track(pieces, place).map(entry) ?? NewEntry(uri: uri("unreadable"), tags: Tags(title: "A track that the server does not name"))
        }
        return ServerRoomState.Queue(entries, start: start, length: count)
    }

    // MARK: Playlists

    /// Parses playlists. GUESS: `mine` and `shared`, or one list.
    func playlists(in json: JSON) -> MusicRoomPlaylists? {
        if let all = json.array ?? json["playlists"]?.array { return MusicRoomPlaylists(mine: lists(all)) }
        guard json.object != nil else { return nil }
        return MusicRoomPlaylists(
            mine: lists((json["mine"] ?? json["own"] ?? json["owned"])?.array ?? []),
            shared: lists((json["shared"] ?? json["public"])?.array ?? []))
    }

    private func lists(_ rows: [JSON]) -> [MusicRoomPlaylist] { rows.prefix(Self.mostPlaylists).compactMap { playlist(in: $0) } }

    func playlist(in json: JSON) -> MusicRoomPlaylist? {
        guard let id = Self.id(json, "id") else { return nil }
        let tracks = (json["trackIds"] ?? json["track_ids"])?.array ?? []
        return MusicRoomPlaylist(
            id: id, name: Self.line(json, "name") ?? id, owner: Self.line(json, "ownerName", "owner_name") ?? "",
            tracks: tracks.prefix(Self.mostEntries).compactMap { $0.string }.filter(MusicRoomItem.isID))
    }

    /// The id of the hub, if the server is one.
    func hub(in status: JSON) -> String? {
        status["hub"]?.string ?? status["hub"].flatMap { Self.line($0, "id") }
    }

    // MARK: Values

    private static let mostSeconds = 366.0 * 86_400

    static func id(_ json: JSON, _ names: String...) -> String? {
        for name in names {
            switch json[name] {
            case .string(let text)? where MusicRoomItem.isID(text): return text
            case .int(let number)?: return String(number)
            default: continue
            }
        }
        return nil
    }

    /// The text of the first of these members: not empty, without control characters, and cut.
    static func line(_ json: JSON, _ names: String...) -> String? {
        names.lazy.compactMap { json[$0]?.string.flatMap { line($0, most: 256) } }.first
    }

    static func line(_ text: String, most: Int) -> String? {
        let plain = String(String.UnicodeScalarView(text.unicodeScalars.prefix(4 * most).filter { $0.value >= 32 && $0.value != 127 }))
        guard !plain.isEmpty else { return nil }
        return plain.count <= most ? plain : plain.prefix(most - 1) + "…"
    }

    static func number(_ json: JSON, _ names: String...) -> Double? {
        for name in names {
            let number: Double? =
                switch json[name] {
                case .int(let value)?: Double(value)
                case .double(let value)?: value
                case .string(let text)?: Double(text)
                default: nil
                }
            if let number, number.isFinite { return number }
        }
        return nil
    }

    static func count(_ json: JSON, _ names: String...) -> Int? {
        for name in names { if let value = number(json, name), 0...1e9 ~= value { return Int(value) } }
        return nil
    }

    static func flag(_ json: JSON, _ names: String...) -> Bool? {
        for name in names {
            if let flag = json[name]?.bool { return flag }
            if let value = number(json, name) { return value != 0 }
        }
        return nil
    }

    /// Limits for an element of a long list, and for everything but long lists.
    static let limits = {
        var limits = JSONLimits()
        limits.depth = 12
        limits.members = 256
        limits.elements = 100_000
        limits.stringBytes = 64 << 10
        limits.nameBytes = 256
        limits.largeNumbers = .text
        return limits
    }()
}
