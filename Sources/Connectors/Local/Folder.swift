/// A folder and everything below it as tracks: those of a folder in the order a person would count
/// them, then its subfolders.
///
/// Hidden names are left out. A symlink is followed as far as trust reaches; a folder that was already
/// seen on the way down is not entered again, so a loop of links ends.
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
        // Also where the folder turns out to hold nothing.
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
            // By its own name: a link may be what gives a file a name that says what it is.
            case .file where FileName.isAudio(name):
                let book = library.book(of: real)
                // The files of a book lie side by side, and stand for one entry.
                if let book, walk.offers.last?.uri == book.uri { continue }
                if walk.offers.count == LocalLibrary.most { throw .tooMany(in: walk.search.top) }
                walk.offers.append(book ?? library.offer(for: real, FileTitle.tags(of: name)))
            default: continue
            }
        }
        for subfolder in subfolders { try enter(subfolder, &walk) }
    }

    /// Nothing for what has vanished, or leads out of the folders by a symlink.
    private func reachable(_ path: String) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFLNK else { return path }
        guard let real = RealPath.of(path), trust == .anyPath || library.isBelowFolders(real) else { return nil }
        return real
    }

    /// A name that is no UTF-8 cannot be handed to the player and is left out.
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

/// How much is looked at for one question: a playlist can name the same folder in each of its lines, and folders can lead into each other
/// by links on more ways than could ever be walked.
struct FileSearch {
    let top: String
    let mostNames: Int
    private var names = 0
    private var lists = 0

    private static let mostLists = 100

    init(top: String, mostNames: Int) { (self.top, self.mostNames) = (top, mostNames) }

    /// For each name in a folder and each line of a playlist, music or not.
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

/// The order in which a person counts: 2 before 10, and case does not matter.
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
        // Equal so far, as "a" and "A": any order will do, as long as it is always the same.
        return a < b
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

    /// The digits in front, without leading zeros, so that longer means larger.
    private static func number(_ text: inout ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
        let digits = text.prefix(while: isDigit)
        text.removeFirst(digits.count)
        return Array(digits.drop { $0 == "0" })
    }
}
