/// What lies beside the music in one folder: its picture, cue sheets, words.
///
/// All files of a folder share one. Which picture, sheet or text belongs to a file is decided by names
/// and stamps alone, so that a scan in which nothing has changed opens none of them.
import BatonCore
import BatonSeams

final class FolderNote: Sendable {
    let path: String
    /// Which of the library's folders it is below.
    let root: Int
    /// `nil` for music.
    let books: FolderBooks?
    /// The picture that stands for all in here: one of its own, else for a disc that of the folder around it.
    let picture: Picture?
    /// The picture of the artist that the folder may be called like.
    let artistPicture: FolderListing.File?
    let sheets: [FolderListing.File]
    /// By the name of their music, without its suffix and in lower case.
    private let words: [String: FolderListing.File]
    /// What every file in here depends on.
    private let shared: Int64

    /// A picture file, in this folder or around it.
    struct Picture: Equatable, Sendable {
        var path: String
        /// The file, named by its path from this folder.
        var file: FolderListing.File
    }

    /// What the library wants to be told of.
    @Sendable
    static func isWanted(_ name: String) -> Bool {
        guard let suffix = FileName.suffix(of: name) else { return false }
        return FileName.isAudio(name) || suffix == "cue" || suffix == "lrc" || pictureRank(name) != nil
            || ArtistPictures.isOne(name) || PlaylistFiles.isOne(name)
    }

    /// `listing` is all that `isWanted` in the folder, and `above` the picture of the folder around it where this one holds a disc.
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
        // A folder that holds something else from now on is read again.
        shared = books == nil ? mix.value : ~mix.value
    }

    /// A number that differs when anything does that goes into the entry of this file beside itself.
    func companions(of name: String) -> Int64 {
        // So that the file of a disc is read again that was a book of its own, or becomes one.
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

    /// The folder of a file, which may lie in the folder of a disc, and the file's own name.
    func place(of name: String) -> (folder: String, name: String) {
        guard let slash = name.lastIndex(of: "/") else { return (path, name) }
        return (path(of: String(name[..<slash])), String(name[name.index(after: slash)...]))
    }

    static let pictureSuffixes = ["jpg", "jpeg", "png", "webp"]

    /// As people and their programs name the picture of a record, best first.
    private static func pictureRank(_ name: String) -> Int? {
        guard let suffix = FileName.suffix(of: name), let kind = pictureSuffixes.firstIndex(of: suffix) else { return nil }
        return ["cover", "folder", "front", "album"].firstIndex(of: FileName.stem(of: name).lowercased()).map { $0 * 4 + kind }
    }

    /// FNV-1a: the same in every run, where Swift's own hashes are not.
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
            for number in [UInt64(bitPattern: file.stamp.size), UInt64(bitPattern: file.stamp.changedNs), file.stamp.inode] {
                for shift in 0..<8 { fold(UInt8(truncatingIfNeeded: number >> (UInt64(shift) * 8))) }
            }
            value = Int64(bitPattern: hash)
            isEmpty = false
        }
    }
}
