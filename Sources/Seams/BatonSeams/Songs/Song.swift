package import BatonCore

/// A song for programs that show a library as files with tags: a file of the library, or an item of another source.
///
/// Its tags are kept as lines of text, because most answers copy them unread.
package struct Song: Equatable, Sendable {
    /// One value of a tag.
    package struct Tag: Equatable, Sendable {
        package var name: TagName
        package var value: String

        package init(_ name: TagName, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The path below the music folders, or a URI for an item that is no file of the library.
    package var uri: String
    /// The item that is put into a queue; `nil` for a song that was made from a queue's row.
    package var item: ItemURI?
    /// Seconds since 1970 at which the file last changed; `nil` for a stream.
    package var changed: Int?
    /// Seconds since 1970 at which it came into the library.
    package var added: Int?
    /// `RATE:BITS:CHANNELS`, with `f` for the bits of a codec that has none.
    package var format: String?
    /// The tags in the order of the file, each as `Name: value` and a line break. A name may occur several times.
    package var lines: [UInt8]
    package var durationMs: Int?

    package init(
        uri: String, item: ItemURI? = nil, changed: Int? = nil, added: Int? = nil, format: String? = nil, lines: [UInt8],
        durationMs: Int? = nil
    ) {
        self.uri = uri
        self.item = item
        self.changed = changed
        self.added = added
        self.format = format
        self.lines = lines
        self.durationMs = durationMs
    }

    package init(
        uri: String, item: ItemURI? = nil, changed: Int? = nil, added: Int? = nil, format: String? = nil, tags: [Tag] = [],
        durationMs: Int? = nil
    ) {
        self.init(
            uri: uri, item: item, changed: changed, added: added, format: format, lines: Self.lines(of: tags), durationMs: durationMs)
    }

    /// The tags, read from the lines at each call.
    package var tags: [Tag] {
        get {
            lines.split(separator: 0x0A).compactMap { line in
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                    let name = TagName(rawValue: String(decoding: line[..<colon], as: UTF8.self))
                else { return nil }
                return Tag(name, String(decoding: line[colon...].dropFirst(2), as: UTF8.self))
            }
        }
        set { lines = Self.lines(of: newValue) }
    }

    /// The lines of these tags. A line break within a value would begin another line, so it becomes a space.
    package static func lines(of tags: [Tag]) -> [UInt8] {
        var lines: [UInt8] = []
        for tag in tags {
            lines += tag.name.rawValue.utf8
            lines += ": ".utf8
            lines += tag.value.utf8.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
            lines.append(0x0A)
        }
        return lines
    }
}

/// The place of a song or a folder in the order of the tree: each folder's songs come first, then its folders with all that is below them.
package struct SongPlace: Hashable, Comparable, Sendable {
    /// The place of the folder among all folders.
    package var folder: Int
    /// The place in the folder; 0 is the folder itself.
    package var song: Int

    package init(folder: Int, song: Int) {
        self.folder = folder
        self.song = song
    }

    package static func < (left: SongPlace, right: SongPlace) -> Bool { (left.folder, left.song) < (right.folder, right.song) }
}

/// A row of the tree.
package enum SongOrFolder: Equatable, Sendable {
    case song(Song)
    /// The path of a folder, and the seconds since 1970 at which it last changed, as far as that is known. The folder above all others has an empty
    /// path.
    case folder(String, changed: Int?)
}
