import BatonCore
import Glibc

/// Pictures as files in the user's cache, because programs of a desktop read those and ask no hub.
///
/// All calls block. Files that were used least lately are removed when there are many, so a year of music does not fill a disk.
package struct PictureFiles: Sendable {
    private let folder: String
    /// Number of files that stay, those of a long queue.
    private let most: Int
    private static let usualMost = 200

    /// The folder below `XDG_CACHE_HOME`, or `~/.cache`; `nil` for a user without a home.
    package init?(environment: [String: String], home: String) {
        let named = environment["XDG_CACHE_HOME"] ?? ""
        guard let cache = named.hasPrefix("/") ? named : home.hasPrefix("/") ? home + "/.cache" : nil else { return nil }
        self.init(folder: cache + "/baton/art")
    }

    package init(folder: String, most: Int = usualMost) {
        self.folder = folder
        self.most = most
    }

    /// Stores a picture and returns the URL of its file; `nil` for what is no picture, and where nothing can be written. The name is made
    /// of the id, which may come from another machine.
    package func store(_ id: String, _ bytes: [UInt8]) -> String? {
        guard let ending = Self.ending(of: bytes) else { return nil }
        let path = "\(folder)/\(String(StableHash.of(id), radix: 16)).\(ending)"
        if unsafe utimensat(AT_FDCWD, path, nil, 0) == 0 { return FileURL.text(of: path) }
        makeFolders()
        removeOldest()
        // A program that reads it meanwhile finds the whole picture or none.
        let draft = "\(path).\(getpid())"
        guard Self.write(bytes, to: draft) else { return nil }
        guard unsafe rename(draft, path) == 0 else {
            unsafe unlink(draft)
            return nil
        }
        return FileURL.text(of: path)
    }

    private static func ending(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "png" }
        if bytes.starts(with: Array("GIF8".utf8)) { return "gif" }
        return bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) ? "webp" : nil
    }

    private static func write(_ bytes: [UInt8], to path: String) -> Bool {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        return unsafe bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = unsafe Glibc.write(file, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }

    private func makeFolders() {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            unsafe mkdir(path, 0o700)
        }
    }

    private func removeOldest() {
        guard let listing = unsafe opendir(folder) else { return }
        defer { unsafe closedir(listing) }
        var files: [(name: String, usedAt: Int)] = []
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            var status = stat()
            guard !name.hasPrefix("."), unsafe lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                continue
            }
            files.append((name, status.st_mtim.tv_sec))
        }
        guard files.count >= most else { return }
        for file in files.sorted(by: { $0.usedAt < $1.usedAt }).prefix(files.count - most + 1) { unsafe unlink("\(folder)/\(file.name)") }
    }
}
