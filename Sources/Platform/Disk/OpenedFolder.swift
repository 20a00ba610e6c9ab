import BatonSeams
import Glibc

/// The folder of the most recently opened file. Its neighbours are opened from there, which takes one system call for each instead of one
/// for every part of the path.
struct OpenedFolder {
    private var path: Substring?
    /// `nil` if it could not be opened; then each file is opened by its whole path.
    private var folder: (opened: Descriptor, real: String)?

    mutating func open(_ path: String, below folders: [String]) throws(SourceFault) -> OpenedFile {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return try OpenedFile.open(path, below: folders) }
        let name = String(path[path.utf8.index(after: slash)...])
        if self.path != path[..<slash] {
            self.path = path[..<slash]
            folder = Self.open(String(path[..<slash]), below: folders)
        }
        // The whole path follows links, and reports failures.
        guard let folder, let opened = OpenedFile.open(name, in: folder.opened.number) else {
            return try OpenedFile.open(path, below: folders)
        }
        return try OpenedFile(opened, path, real: folder.real + "/" + name)
    }

    private static func open(_ path: String, below folders: [String]) -> (opened: Descriptor, real: String)? {
        guard let real = RealPath.of(path) else { return nil }
        let place = folders.contains(real) ? (top: real, rest: ".") : OpenedFile.holder(of: real, folders)
        guard let place, let opened = OpenedFile.folder(place.top, place.rest) else { return nil }
        return (opened, real)
    }
}
