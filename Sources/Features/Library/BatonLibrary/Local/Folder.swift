/// A folder as a list of tracks: its own files in natural order, then its subfolders.
///
/// Hidden names are left out. Symlinks are followed as far as trust reaches. A folder that is open on the way down is
/// not entered again, so that loops of symlinks end.
import BatonCore
import BatonSeams
import Glibc

struct Folder {
    let library: LocalLibrary
    let trust: Trust

    private static let deepest = 32

    private struct Walk {
        var offers: [NewEntry] = []
        var search: FileSearch
        var above: [Identity] = []
    }

    private struct Identity: Equatable {
        var device: UInt
        var file: UInt
    }

    func offers(below path: String, _ search: inout FileSearch) throws(SourceFault) -> [NewEntry] {
        guard access(path, R_OK | X_OK) == 0 else { throw .unreadable(path, errno) }
        var walk = Walk(search: search)
        // The search's limits count even if the folder is empty.
        defer { search = walk.search }
        try enter(path, &walk)
        guard !walk.offers.isEmpty else { throw SourceFault(.notFound, "The folder \(path) holds no music.") }
        return walk.offers
    }

    private func enter(_ path: String, _ walk: inout Walk) throws(SourceFault) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        let identity = Identity(device: UInt(status.st_dev), file: UInt(status.st_ino))
        guard !walk.above.contains(identity), walk.above.count < Self.deepest else { return }
        walk.above.append(identity)
        defer { walk.above.removeLast() }

        var subfolders: [String] = []
        for name in try names(in: path, &walk) {
            guard let real = reachable(path == "/" ? "/" + name : path + "/" + name) else { continue }
            switch FileKind.of(real) {
            case .folder: subfolders.append(real)
            // The path's own name decides, because a symlink may add the suffix that its target lacks.
            case .file where FileName.isAudio(name):
                let book = library.book(of: real)
                // The files of a book are adjacent and become one entry.
                if let book, walk.offers.last?.uri == book.uri { continue }
                if walk.offers.count == LocalLibrary.most { throw .tooMany(in: walk.search.top) }
                walk.offers.append(book ?? library.offer(for: real, FileTitle.tags(of: name)))
            default: continue
            }
        }
        for subfolder in subfolders { try enter(subfolder, &walk) }
    }

    /// The real path; `nil` if the file was deleted or a symlink leads out of the folders.
    private func reachable(_ path: String) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFLNK else { return path }
        guard let real = RealPath.of(path), trust == .anyPath || library.isBelowFolders(real) else { return nil }
        return real
    }

    /// The names in a folder. A name that is not UTF-8 is left out, because the player cannot open it.
    private func names(in path: String, _ walk: inout Walk) throws(SourceFault) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let name, !name.hasPrefix(".") else { continue }
            try walk.search.look()
            names.append(name)
        }
        return names.sorted(by: NaturalOrder.precedes)
    }
}

/// Limits the work of one request: a playlist can name the same folder in every line, and symlinks can form
/// exponentially many paths.
struct FileSearch {
    let top: String
    let mostNames: Int
    private var names = 0
    private var lists = 0

    private static let mostLists = 100

    init(top: String, mostNames: Int) { (self.top, self.mostNames) = (top, mostNames) }

    /// Counts one name in a folder or one line of a playlist, music or not.
    mutating func look() throws(SourceFault) {
        names += 1
        guard names <= mostNames else {
            throw SourceFault(.tooLarge, "\(top) leads to more than \(mostNames) files. Choose a part of it.")
        }
        if Task.isCancelled { throw SourceFault(.cancelled, "Looking through \(top) was given up.") }
    }

    mutating func openList() throws(SourceFault) {
        lists += 1
        guard lists <= Self.mostLists else {
            throw SourceFault(.tooLarge, "\(top) leads to more than \(Self.mostLists) playlists. Choose a part of it.")
        }
    }
}

/// Natural order: 2 before 10, without regard to case.
enum NaturalOrder {
    static func precedes(_ a: String, _ b: String) -> Bool {
        var left = Array(a.lowercased().unicodeScalars)[...]
        var right = Array(b.lowercased().unicodeScalars)[...]
        while let x = left.first, let y = right.first {
            if isDigit(x), isDigit(y) {
                let (m, n) = (number(&left), number(&right))
                if m.count != n.count { return m.count < n.count }
                if m != n { return m.lexicographicallyPrecedes(n) }
            } else {
                if x != y { return x < y }
                left.removeFirst()
                right.removeFirst()
            }
        }
        if left.isEmpty != right.isEmpty { return left.isEmpty }
        // Names that differ in case only need any stable order.
        return a < b
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

    /// Takes the leading digits, without leading zeros, so that a longer number is larger.
    private static func number(_ text: inout ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
        let digits = text.prefix(while: isDigit)
        text.removeFirst(digits.count)
        return Array(digits.drop { $0 == "0" })
    }
}
