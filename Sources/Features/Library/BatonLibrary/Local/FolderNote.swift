/// Companion files of the music in one folder: its picture, cue sheets and lyrics.
///
/// All files of a folder share one note. Names and stamps alone decide which companions belong to a file, so an
/// unchanged folder is scanned without opening any of them.
import BatonCore
import BatonSeams

final class FolderNote: Sendable {
    let path: String
    /// The index of the library folder that contains this one.
    let root: Int
    /// The division of its files into books; `nil` for music.
    let books: FolderBooks?
    /// The picture for all files here: the folder's own, or for a disc that of its parent folder.
    let picture: Picture?
    /// The picture of an artist, if the folder has the artist's name.
    let artistPicture: FolderListing.File?
    let sheets: [FolderListing.File]
    /// Lyrics files by the name of their audio file, in lower case and without suffix.
    private let words: [String: FolderListing.File]
    /// A hash of the companions that concern every file of the folder.
    private let shared: Int64

    /// A picture file in this folder or its parent.
    struct Picture: Equatable, Sendable {
        var path: String
        /// The file, named by its path relative to this folder.
        var file: FolderListing.File
    }

    /// Whether the library uses files of this name.
    @Sendable
    static func isWanted(_ name: String) -> Bool {
        guard let suffix = FileName.suffix(of: name) else { return false }
        return FileName.isAudio(name) || suffix == "cue" || suffix == "lrc" || pictureRank(name) != nil
            || ArtistPictures.isOne(name) || PlaylistFiles.isOne(name)
    }

    /// Takes the wanted files of the folder as `listing`. For a disc, `above` is the picture of the parent folder.
    init(_ path: String, root: Int, books: FolderBooks? = nil, above: Picture? = nil, _ listing: FolderListing) {
        self.path = path
        self.root = root
        self.books = books
        let beside = listing.files.filter { !FileName.isAudio($0.name) }
        let pictures = beside.compactMap { file in Self.pictureRank(file.name).map { (rank: $0, file: file) } }
        let own = pictures.min { ($0.rank, $0.file.name) < ($1.rank, $1.file.name) }?.file
        picture =
            own.map { Picture(path: Self.path(of: $0.name, in: path), file: $0) }
            ?? above.map { Picture(path: $0.path, file: FolderListing.File(name: "../" + $0.file.name, stamp: $0.file.stamp)) }
        artistPicture = beside.min { ArtistPictures.rank($0.name) ?? .max < ArtistPictures.rank($1.name) ?? .max }
            .flatMap { ArtistPictures.isOne($0.name) ? $0 : nil }
        sheets = beside.filter { FileName.suffix(of: $0.name) == "cue" }.sorted { $0.name < $1.name }
        let texts = beside.filter { FileName.suffix(of: $0.name) == "lrc" }.map { (FileName.stem(of: $0.name).lowercased(), $0) }
        words = Dictionary(texts, uniquingKeysWith: { $0.name < $1.name ? $0 : $1 })
        var mix = Mix()
        for file in [picture?.file].compactMap({ $0 }) + sheets { mix.add(file) }
        // A changed kind of content must change the hash, so that all files are read again.
        shared = books == nil ? mix.value : ~mix.value
    }

    /// A hash of everything beside the file itself that goes into its entry.
    func companions(of name: String) -> Int64 {
        // The hash of a file in a disc folder differs, so that it is read again when it joins or leaves a book.
        let shared = name.contains("/") ? shared &+ 1 : shared
        guard !words.isEmpty, let words = words(of: name) else { return shared }
        var mix = Mix(from: shared)
        mix.add(words)
        return mix.value
    }

    func words(of name: String) -> FolderListing.File? {
        words.isEmpty ? nil : words[FileName.stem(of: name).lowercased()]
    }

    func path(of name: String) -> String { Self.path(of: name, in: path) }

    private static func path(of name: String, in folder: String) -> String { folder == "/" ? "/" + name : folder + "/" + name }

    /// The folder that holds a file, which may be a disc folder, and the file's name there.
    func place(of name: String) -> (folder: String, name: String) {
        guard let slash = name.lastIndex(of: "/") else { return (path, name) }
        return (path(of: String(name[..<slash])), String(name[name.index(after: slash)...]))
    }

    static let pictureSuffixes = ["jpg", "jpeg", "png", "webp"]

    /// The preference of a picture's name among those that people and programs use; the lowest wins.
    private static func pictureRank(_ name: String) -> Int? {
        guard let suffix = FileName.suffix(of: name), let kind = pictureSuffixes.firstIndex(of: suffix) else { return nil }
        return ["cover", "folder", "front", "album"].firstIndex(of: FileName.stem(of: name).lowercased()).map { $0 * 4 + kind }
    }

    /// FNV-1a, which gives the same result in every run. Swift's own hashes are seeded at random.
    private struct Mix {
        private(set) var value: Int64 = 0
        private var isEmpty = true

        init() {}
        init(from value: Int64) {
            self.value = value
            isEmpty = value == 0
        }

        mutating func add(_ file: FolderListing.File) {
            var hash = isEmpty ? 0xCBF2_9CE4_8422_2325 : UInt64(bitPattern: value)
            func fold(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            for byte in file.name.utf8 { fold(byte) }
            for number in [UInt64(bitPattern: file.stamp.size), UInt64(bitPattern: file.stamp.modifiedNs), file.stamp.inode] {
                for shift in 0..<8 { fold(UInt8(truncatingIfNeeded: number >> (UInt64(shift) * 8))) }
            }
            value = Int64(bitPattern: hash)
            isEmpty = false
        }
    }
}
