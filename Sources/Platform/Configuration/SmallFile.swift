/// Files of one line beside a program's state, such as its id and the last hub it used.
import Glibc

package enum SmallFile {
    private static let longest = 1024

    /// `nil` if there is no such file.
    package static func firstLine(of path: String) -> String? {
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: longest)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count].prefix { $0 >= 0x20 }, as: UTF8.self)
    }

    /// Replaces the file at once, since a half-written file is worse than none. A failure leaves everything unchanged.
    package static func replace(_ path: String, with text: String) {
        let draft = "\(path).\(getpid())"
        guard let file = unsafe fopen(draft, "w") else { return }
        let whole = unsafe fputs(text, file) >= 0
        let closed = unsafe fclose(file) == 0
        if closed, whole { unsafe rename(draft, path) } else { unsafe unlink(draft) }
    }

    /// Creates the folders above a file, for this user only. Failures show when the file is opened.
    package static func makeFolders(above path: String) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let folder = String(path[..<slash])
        guard unsafe mkdir(folder, 0o700) != 0, errno == ENOENT else { return }
        makeFolders(above: folder)
        unsafe mkdir(folder, 0o700)
    }
}
