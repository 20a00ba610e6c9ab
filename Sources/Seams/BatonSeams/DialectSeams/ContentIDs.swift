/// Ids of tracks that are computed from their sound files, so that every program with the same file gets the same id: `sha256:` and the hash of the
/// first 64 KiB, or of the whole file if another track already has that id.
///
/// Reading this much of each file takes long, so ids are stored beside the library and computed in the background. Everything here blocks and is
/// never called on the loop.
package import BatonCore

/// The id of a track that is computed from its sound file.
package struct ContentID: Hashable, Sendable, CustomStringConvertible {
    /// SHA-256 of the bytes that identify the file, 32 bytes.
    package let hash: [UInt8]

    /// Number of bytes from which the usual id is computed.
    package static let headBytes = 65_536
    private static let prefix = "sha256:"

    package init(hash: [UInt8]) { self.hash = hash }

    /// Reads an id; `nil` for other text.
    package init?(text: String) {
        let digits = text.utf8.dropFirst(Self.prefix.utf8.count)
        guard text.hasPrefix(Self.prefix), digits.count == 64 else { return nil }
        var hash: [UInt8] = []
        var rest = digits
        while let high = rest.popFirst(), let low = rest.popFirst() {
            guard let first = Self.value(high), let second = Self.value(low) else { return nil }
            hash.append(first << 4 | second)
        }
        self.hash = hash
    }

    /// The text form that clients send and get.
    package var description: String {
        var bytes = Array(Self.prefix.utf8)
        for byte in hash {
            bytes.append(Self.digits[Int(byte >> 4)])
            bytes.append(Self.digits[Int(byte & 15)])
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// A track of the library with its id.
package struct NamedTrack: Equatable, Sendable {
    /// A number that grows with time; the next page begins after it.
    package var position: Int64
    /// The id that this track has, and no other.
    package var id: ContentID
    /// The file name without its folder.
    package var file: String
    /// The track as a row of lists.
    package var row: ItemRow

    package init(position: Int64, id: ContentID, file: String, row: ItemRow) {
        self.position = position
        self.id = id
        self.file = file
        self.row = row
    }
}

/// The id of a track and its file name without the folder.
package struct TrackName: Equatable, Sendable {
    /// The id that this track has, and no other.
    package var id: ContentID
    /// The name of the file, which clients show.
    package var file: String

    package init(id: ContentID, file: String) {
        self.id = id
        self.file = file
    }
}

/// Finds tracks by these ids, and ids of tracks.
package protocol ContentNaming: Sendable {
    /// The tracks of the library that have an id, after this place.
    func namedTracks(after position: Int64, most: Int) throws(SourceFault) -> [NamedTrack]
    func track(named id: ContentID) throws(SourceFault) -> ItemURI?
    /// The ids of those tracks that have one.
    func trackNames(of uris: [ItemURI]) throws(SourceFault) -> [ItemURI: TrackName]
    func contentIDCount() throws(SourceFault) -> Int
}

/// A file without an id, or one that has changed since.
package struct UnnamedFile: Equatable, Sendable {
    package var id: FileID
    /// The full path, to be opened below the folders of the library.
    package var path: String
    /// The size when the library saw it last.
    package var size: Int64
    /// The time of the last change when the library saw it last; an id of another state does not count.
    package var modifiedNs: Int64

    package init(id: FileID, path: String, size: Int64, modifiedNs: Int64) {
        self.id = id
        self.path = path
        self.size = size
        self.modifiedNs = modifiedNs
    }
}

/// The store of these ids.
package protocol ContentIDStorage: ContentNaming {
    /// Files without an id in the order of their numbers, after this one.
    func unnamedFiles(after file: FileID?, most: Int) throws(SourceFault) -> [UnnamedFile]
    /// Stores ids, and returns the files that could not get theirs because another file has it. `nil` marks a file whose whole content equals another
    /// one's.
    func store(_ names: [(file: UnnamedFile, id: ContentID?)]) throws(SourceFault) -> [FileID]
}
