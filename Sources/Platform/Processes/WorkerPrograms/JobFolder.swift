import Disk
import Glibc

/// The working folder of a confined program. The program may leave only plain files there.
///
/// A link would lead the hub to a file that the program itself may not open. So every other kind of file is removed after the program has
/// ended and before any file is opened.
struct JobFolder {
    /// The path as bytes, since a program may use file names that are not valid text.
    private let path: [UInt8]
    private var isOfRoot: Bool { geteuid() == 0 }

    init(_ path: String) { self.path = Array(path.utf8) }

    /// Gives the folder to the program's user, if the hub is root. The hub's group may still enter it, since bubblewrap does so before the
    /// user changes.
    func give() {
        guard isOfRoot else { return }
        unsafe chown(Self.name(path), Confinement.user, getegid())
        unsafe chmod(Self.name(path), 0o710)
    }

    /// Takes the folder back. Plain files with a single name stay, and become files of the hub that no other user can read.
    func takeBack() {
        if isOfRoot { unsafe chown(Self.name(path), geteuid(), getegid()) }
        unsafe chmod(Self.name(path), 0o700)
        var folders: [[UInt8]] = []
        // All are checked first, since removing one name of a file would leave the other as its only one.
        let found = FolderNames.bytes(in: path).map { ($0, Self.joined(path, $0), Self.status(of: Self.joined(path, $0))) }
        for (child, file, status) in found {
            switch status.st_mode & S_IFMT {
            case S_IFDIR: folders.append(file)
            case S_IFREG where status.st_nlink == 1 && String(validating: child, as: UTF8.self) != nil:
                if isOfRoot { unsafe lchown(Self.name(file), geteuid(), getegid()) }
                unsafe chmod(Self.name(file), 0o600)
            default: unsafe unlink(Self.name(file))
            }
        }
        remove(folders)
    }

    /// Removes folders. Nested ones are moved up first, since their paths could be longer than the kernel accepts.
    private func remove(_ folders: [[UInt8]]) {
        var waiting = folders
        while let folder = waiting.popLast() {
            unsafe chmod(Self.name(folder), 0o700)
            for child in FolderNames.bytes(in: folder) {
                let file = Self.joined(folder, child)
                guard Self.status(of: file).st_mode & S_IFMT == S_IFDIR else {
                    unsafe unlink(Self.name(file))
                    continue
                }
                // Only a user with write access can move a folder.
                unsafe chmod(Self.name(file), 0o700)
                let moved = Self.joined(path, Array(".left-\(UInt64.random(in: 0...UInt64.max))".utf8))
                if unsafe rename(Self.name(file), Self.name(moved)) == 0 { waiting.append(moved) }
            }
            unsafe rmdir(Self.name(folder))
        }
    }

    private static func joined(_ folder: [UInt8], _ child: [UInt8]) -> [UInt8] { folder + [UInt8(ascii: "/")] + child }

    /// The path in the form of the C library.
    private static func name(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }

    /// The status of the name itself, even if it is a link; all zero if there is none.
    private static func status(of path: [UInt8]) -> stat {
        var status = stat()
        _ = unsafe lstat(name(path), &status)
        return status
    }
}
