/// The listing of a folder for the scan: each name once, with the file status of those that matter.
package import BatonSeams
import Glibc

extension Disk: FolderReading {
    package func list(
        _ path: String, within folders: [String], wanting isWanted: @escaping @Sendable (String) -> Bool
    ) throws(SourceFault) -> FolderListing {
        let number = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw .about(path, errno) }
        let folder = Descriptor(number)
        // The opened folder may be elsewhere than its path says, since folders can be moved at any time.
        guard let real = folder.path, Self.isWithin(folders, real), !excludes(real) else { throw .outside(path) }
        guard let status = folder.status else { throw .about(path, errno) }
        var listing = FolderListing(
            identity: .init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)), changed: Int64(status.st_mtim.tv_sec))
        let names = try names(in: folder, path)
        errno = 0
        while let name = names.next() {
            add(name, of: folder, at: path, within: folders, isWanted: isWanted, to: &listing)
            errno = 0
        }
        guard errno == 0 else { throw .about(path, errno) }
        // By the real path, since the requested one may contain a link.
        listing.folders.removeAll { excludes(real == "/" ? "/" + $0 : real + "/" + $0) }
        return listing
    }

    /// All names but hidden ones, one at a time, because a folder may have too many for memory.
    private func names(in folder: Descriptor, _ path: String) throws(SourceFault) -> Directory {
        let copy = fcntl(folder.number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let stream = unsafe fdopendir(copy) else { throw .about(path, errno) }
        return unsafe Directory(stream)
    }

    private func add(
        _ name: Directory.Name, of folder: Descriptor, at path: String, within folders: [String], isWanted: (String) -> Bool,
        to listing: inout FolderListing
    ) {
        // The name is checked first, so that irrelevant files cost no system call.
        let isOurs = isWanted(name.text)
        guard name.mayBeFolder || isOurs else { return }
        guard name.isSound else {
            if name.isFolder == true || isOurs { listing.strange.append(name.text) }
            return
        }
        if name.isFolder == true { return listing.folders.append(name.text) }
        var status = stat()
        guard unsafe fstatat(folder.number, name.text, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFLNK {
            guard let target = Self.target(of: "\(path)/\(name.text)", folders, isWanted) else { return }
            status = target
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: listing.folders.append(name.text)
        case S_IFREG where isOurs: listing.files.append(.init(name: name.text, stamp: FileStamp(status)))
        default: break
        }
    }

    /// The target of a symlink, if the scan cannot reach it otherwise: inside the folders, but below a hidden name or under one that does
    /// not show its type.
    private static func target(of link: String, _ folders: [String], _ isWanted: (String) -> Bool) -> stat? {
        guard let real = RealPath.of(link) else { return nil }
        guard let rest = folders.lazy.compactMap({ RealPath.rest(of: real, below: $0) }).first else { return nil }
        var status = stat()
        guard unsafe lstat(real, &status) == 0 else { return nil }
        let parts = rest.split(separator: "/")
        let isHidden = parts.contains { $0.hasPrefix(".") }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let isFoundThere = !isHidden && (isFolder || isWanted(parts.last.map(String.init) ?? ""))
        return isFoundThere ? nil : status
    }

    static func isWithin(_ folders: [String], _ real: String) -> Bool {
        folders.contains { $0 == real || RealPath.rest(of: real, below: $0) != nil }
    }
}

/// The names in a directory, read one by one from the C library.
@safe private final class Directory {
    struct Name {
        /// The name, escaped if it is not UTF-8.
        var text: String
        var isSound = true
        /// `nil` if the file system does not tell, and for links.
        var isFolder: Bool?
        var mayBeFolder: Bool { isFolder != false }
    }

    private let stream: OpaquePointer

    init(_ stream: OpaquePointer) { unsafe self.stream = stream }

    deinit { unsafe closedir(stream) }

    /// The next name. At the end, `errno` is unchanged, or tells the error.
    func next() -> Name? {
        while let entry = unsafe readdir(stream) {
            let start = unsafe UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \dirent.d_name)!  // A stored field.
            let name = unsafe start.assumingMemoryBound(to: CChar.self)
            guard unsafe name.pointee != CChar(UInt8(ascii: ".")) else { continue }
            let isFolder: Bool? =
                switch unsafe Int(entry.pointee.d_type) {
                case Int(DT_DIR): true
                case Int(DT_LNK), Int(DT_UNKNOWN): nil
                default: false
                }
            if let text = unsafe String(validatingCString: name) { return Name(text: text, isFolder: isFolder) }
            let bytes = unsafe UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) }
            return Name(text: Escaped.text(bytes), isSound: false, isFolder: isFolder)
        }
        return nil
    }
}

/// A name that is not UTF-8, for people: readable characters stay, other bytes become `\xE9`.
enum Escaped {
    static func text(_ bytes: [UInt8]) -> String {
        var text = ""
        var rest = bytes[...]
        while let first = rest.first {
            let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
            if let piece = String(validating: rest.prefix(length), as: UTF8.self), piece.unicodeScalars.count == 1 {
                text += piece
                rest = rest.dropFirst(length)
            } else {
                text += "\\x" + (first < 16 ? "0" : "") + String(first, radix: 16, uppercase: true)
                rest = rest.dropFirst()
            }
        }
        return text
    }
}
