/// Names of tracks that follow from their sound files, so that every program that has the file finds the same one: `sha256:` and the
/// hash of the first 64 KiB, or of the whole file where another track has that name already.
///
/// Reading so much of each file takes long, so names are kept beside the library and found in the background. Everything here blocks
/// and none of it is for the loop.
package import BatonCore

package struct ContentID: Hashable, Sendable, CustomStringConvertible {
    package let hash: [UInt8]

    /// How much of a file its usual name is made of.
    package static let headBytes = 65_536
    private static let prefix = "sha256:"

    package init(hash: [UInt8]) { self.hash = hash }

    /// `nil` for a text that is no such name.
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

/// A track of the library that has its name.
package struct NamedTrack: Equatable, Sendable {
    /// Grows with time; the next page begins behind it.
    package var place: Int64
    package var id: ContentID
    /// Without its folder.
    package var file: String
    package var row: ItemRow

    package init(place: Int64, id: ContentID, file: String, row: ItemRow) {
        self.place = place
        self.id = id
        self.file = file
        self.row = row
    }
}

/// The name of a track, and the name of its file without its folder.
package struct TrackName: Equatable, Sendable {
    package var id: ContentID
    package var file: String

    package init(id: ContentID, file: String) {
        self.id = id
        self.file = file
    }
}

/// Finds tracks by these names, and names of tracks.
package protocol ContentNaming: Sendable {
    /// The tracks of the library that have a name, from behind this place on.
    func namedTracks(after place: Int64, most: Int) throws(SourceFault) -> [NamedTrack]
    func track(named id: ContentID) throws(SourceFault) -> ItemURI?
    /// Of those that have one.
    func trackNames(of uris: [ItemURI]) throws(SourceFault) -> [ItemURI: TrackName]
    /// How many names are known.
    func contentIDCount() throws(SourceFault) -> Int
}

/// A file that has no name yet, or has changed since.
package struct UnnamedFile: Equatable, Sendable {
    package var id: FileID
    package var path: String
    package var size: Int64
    package var changedNs: Int64

    package init(id: FileID, path: String, size: Int64, changedNs: Int64) {
        self.id = id
        self.path = path
        self.size = size
        self.changedNs = changedNs
    }
}

/// Keeps these names.
package protocol ContentIDKeeping: ContentNaming {
    /// In the order of their numbers, from behind this one on.
    func unnamedFiles(after file: FileID?, most: Int) throws(SourceFault) -> [UnnamedFile]
    /// Those that could not have this name because another file has it. `nil` names a file whose content is another one's entirely.
    func keep(_ names: [(file: UnnamedFile, id: ContentID?)]) throws(SourceFault) -> [FileID]
}
