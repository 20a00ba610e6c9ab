/// Names of rooms, entries and playlists on a bus. Each has one name, and is found by it again.
package import BatonCore

package enum PlayerNames {
    /// The path of every player.
    package static let path = "/org/mpris/MediaPlayer2"
    /// The path that stands for no track.
    package static let noTrack = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
    private static let entries = "/org/baton/entry/"
    private static let playlists = "/org/baton/playlist/"

    /// The bus name of a room's player. Words of a bus name hold no hyphen that all programs accept, and do not begin with a digit; ids of
    /// rooms hold no underscore, so two rooms never share a name.
    package static func bus(of room: RoomID) -> String { "org.mpris.MediaPlayer2.baton." + word(room.text) }

    /// The names to try in turn: another hub on this desktop may have a room of the same id.
    package static func buses(of room: RoomID, process: Int32) -> [String] {
        let name = bus(of: room)
        return [name, name + ".instance\(process)"]
    }

    private static func word(_ text: String) -> String {
        let letters = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                String(Unicode.Scalar(byte))
            case UInt8(ascii: "-"): "_"
            // No hub of ours makes such an id.
            default: "__" + String(byte, radix: 16)
            }
        }.joined()
        return letters.first?.isNumber ?? true ? "_" + letters : letters
    }

    package static func path(of entry: EntryID) -> String { entries + entry.text }

    /// The entry of a path; `nil` for a path that none has, such as `noTrack`.
    package static func entry(at path: String) -> EntryID? {
        path.hasPrefix(entries) ? EntryID(text: String(path.dropFirst(entries.utf8.count))) : nil
    }

    package static func path(of playlist: PlaylistID) -> String {
        playlists
            + playlist.text.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    String(Unicode.Scalar(byte))
                default: "_" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
                }
            }.joined()
    }

    package static func playlist(at path: String) -> PlaylistID? {
        guard path.hasPrefix(playlists) else { return nil }
        var rest = path.utf8.dropFirst(playlists.utf8.count)
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "_") else {
                bytes.append(byte)
                continue
            }
            guard let escaped = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            bytes.append(escaped)
            rest = rest.dropFirst(2)
        }
        return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self).map { PlaylistID($0) }
    }
}
