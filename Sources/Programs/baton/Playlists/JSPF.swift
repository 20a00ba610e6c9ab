import BatonCore
import BatonProtocol
import BatonWire

/// A playlist in JSPF, the JSON form of XSPF. `baton playlist export x.jspf` writes it, and files of other programs
/// are read, too. Members that this version does not know are skipped.
enum JSPF {
    private static var limits: JSONLimits {
        var limits = JSONLimits.standard
        limits.elements = 100_000
        limits.depth = 32
        limits.members = 1000
        limits.stringBytes = 1 << 20
        limits.nameBytes = 4096
        return limits
    }

    static func text(of list: PlaylistText) -> String {
        let tracks = list.entries.map { entry in
            var track: JSONObject = ["location": [.string(location(entry.name))]]
            if let item = entry.item { track["identifier"] = [.string(item)] }
            if let tags = entry.tags {
                if !tags.title.isEmpty { track["title"] = .string(tags.title) }
                if !tags.artists.isEmpty { track["creator"] = .string(tags.artists.joined(separator: ", ")) }
                if !tags.album.isEmpty { track["album"] = .string(tags.album) }
                track["trackNum"] = tags.track.map { .int(Int64($0)) }
                track["duration"] = tags.durationMs.map { .int(Int64($0)) }
            }
            return JSON.object(track)
        }
        var playlist = JSONObject()
        playlist["title"] = list.title.map { .string($0) }
        playlist["track"] = .array(tracks)
        return JSON.object(["playlist": .object(playlist)]).description + "\n"
    }

    static func read(_ bytes: [UInt8]) throws(JSONFault) -> PlaylistText {
        // Some editors begin a text with a byte order mark.
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        let playlist = try JSON.parse(body, limits: limits)["playlist"]
        guard let playlist, playlist.object != nil else { throw JSONFault(.syntax, at: 0) }
        let entries = (playlist["track"]?.array ?? []).compactMap(entry)
        return PlaylistText(title: playlist["title"]?.string.flatMap { $0.isEmpty ? nil : $0 }, entries)
    }

    private static func entry(_ track: JSON) -> PlaylistText.Entry? {
        // The format requires lists, but some programs write single strings.
        let locations = track["location"]?.array?.compactMap(\.string) ?? track["location"]?.string.map { [$0] } ?? []
        let identifiers = track["identifier"]?.array?.compactMap(\.string) ?? track["identifier"]?.string.map { [$0] } ?? []
        var tags = Tags(
            title: track["title"]?.string ?? "",
            durationMs: track["duration"]?.int.flatMap { Int(exactly: $0) }.flatMap { $0 > 0 ? Milliseconds($0) : nil })
        tags.artists = track["creator"]?.string.map { [$0] } ?? []
        tags.album = track["album"]?.string ?? ""
        let item = identifiers.first { ItemURI($0).isOfLibrary }
        guard let name = locations.first ?? item else {
            return tags.title.isEmpty ? nil : PlaylistText.Entry("", tags: tags)
        }
        return PlaylistText.Entry(name, item: item, tags: tags.title.isEmpty ? nil : tags)
    }

    /// An absolute path is written as a file URL, a relative one as a relative address.
    private static func location(_ name: String) -> String {
        if name.hasPrefix("/") { return FileURL.text(of: name) }
        return name.contains(":") ? name : PercentText.encoded(name, keeping: "/")
    }
}
