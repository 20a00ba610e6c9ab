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

    /// The URI, the item, the format and the lines, one behind the other: long lists have many thousands of songs, and a block of memory for each of
    /// these would take longer than all else.
    private let texts: [UInt8]
    private let ends: Ends
    /// Seconds since 1970 at which the file last changed; `nil` for a stream.
    package var changed: Int?
    /// Seconds since 1970 at which it came into the library.
    package var added: Int?
    package var durationMs: Int?

    /// The ends of the first three texts. An empty item or format is none.
    package struct Ends: Equatable, Sendable {
        package var uri: Int
        package var item: Int
        package var format: Int

        package init(uri: Int, item: Int, format: Int) {
            self.uri = uri
            self.item = item
            self.format = format
        }
    }

    package init(texts: [UInt8], ends: Ends, changed: Int? = nil, added: Int? = nil, durationMs: Int? = nil) {
        self.texts = texts
        self.ends = ends
        self.changed = changed
        self.added = added
        self.durationMs = durationMs
    }

    package init(
        uri: String, item: ItemURI? = nil, changed: Int? = nil, added: Int? = nil, format: String? = nil, lines: [UInt8],
        durationMs: Int? = nil
    ) {
        var texts = Array(uri.utf8)
        var ends = Ends(uri: texts.count, item: 0, format: 0)
        texts += (item?.text ?? "").utf8
        ends.item = texts.count
        texts += (format ?? "").utf8
        ends.format = texts.count
        self.init(texts: texts + lines, ends: ends, changed: changed, added: added, durationMs: durationMs)
    }

    package init(
        uri: String, item: ItemURI? = nil, changed: Int? = nil, added: Int? = nil, format: String? = nil, tags: [Tag] = [],
        durationMs: Int? = nil
    ) {
        self.init(
            uri: uri, item: item, changed: changed, added: added, format: format, lines: Self.lines(of: tags), durationMs: durationMs)
    }

    /// The path below the music folders, or a URI for an item that is no file of the library.
    package var uri: String { String(decoding: uriBytes, as: UTF8.self) }
    package var uriBytes: ArraySlice<UInt8> { texts[..<ends.uri] }

    /// The item that is put into a queue; `nil` for a song that was made from a queue's row.
    package var item: ItemURI? {
        let text = texts[ends.uri..<ends.item]
        return text.isEmpty ? nil : ItemURI(String(decoding: text, as: UTF8.self))
    }

    /// `RATE:BITS:CHANNELS`, with `f` for the bits of a codec that has none.
    package var format: String? { formatBytes.isEmpty ? nil : String(decoding: formatBytes, as: UTF8.self) }
    package var formatBytes: ArraySlice<UInt8> { texts[ends.item..<ends.format] }

    /// The tags in the order of the file, each as `Name: value` and a line break. A name may occur several times.
    package var lines: ArraySlice<UInt8> { texts[ends.format...] }

    /// The tags, read from the lines at each call.
    package var tags: [Tag] {
        lines.split(separator: 0x0A).compactMap { line in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                let name = TagName(rawValue: String(decoding: line[..<colon], as: UTF8.self))
            else { return nil }
            return Tag(name, String(decoding: line[colon...].dropFirst(2), as: UTF8.self))
        }
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

/// A song that is lent for a call. Its texts are added to others, so that a whole library is written without a block of memory for each song.
package protocol LentSong {
    var changed: Int? { get }
    var durationMs: Int? { get }
    func addURI(to bytes: inout [UInt8])
    /// Adds nothing where there is none.
    func addFormat(to bytes: inout [UInt8])
    func addLines(to bytes: inout [UInt8])
    /// A copy, which can be kept.
    var song: Song { get }
}

extension Song: LentSong {
    package var song: Song { self }

    package func addURI(to bytes: inout [UInt8]) { bytes += uriBytes }
    package func addFormat(to bytes: inout [UInt8]) { bytes += formatBytes }
    package func addLines(to bytes: inout [UInt8]) { bytes += lines }
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

/// A row of the tree that is lent for a call.
package enum LentRow {
    case song(any LentSong)
    case folder(String, changed: Int?)
}
