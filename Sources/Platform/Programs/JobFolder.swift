import Disk
import Glibc

/// A folder in which a confined program works, before and after: plain files are all that it may leave there.
///
/// A link would lead the hub to a file that the program itself may not open, so every other kind of file is removed once the program has
/// ended and before anything is opened.
struct JobFolder {
    /// Bytes, since a program may give files names that are no text.
    private let path: [UInt8]
    private var isOfRoot: Bool { geteuid() == 0 }

    init(_ path: String) { self.path = Array(path.utf8) }

    /// The program's user owns the folder meanwhile, if the hub is root. The group of the hub may still enter it, since bubblewrap
    /// does so before the user changes.
    func give() {
        guard isOfRoot else { return }
        unsafe chown(Self.name(path), Confinement.user, getegid())
        unsafe chmod(Self.name(path), 0o710)
    }

    /// Plain files stay, of one name each, as files of the hub that no other user can read.
    func takeBack() {
        if isOfRoot { unsafe chown(Self.name(path), geteuid(), getegid()) }
        unsafe chmod(Self.name(path), 0o700)
        var folders: [[UInt8]] = []
        // All are looked at first, since removing one name of a file leaves the other as its only one.
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

    /// Folders inside of others are moved up first: their paths could be longer than the kernel takes.
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
                // A folder is moved only by a user who may write in it.
                unsafe chmod(Self.name(file), 0o700)
                let moved = Self.joined(path, Array(".left-\(UInt64.random(in: 0...UInt64.max))".utf8))
                if unsafe rename(Self.name(file), Self.name(moved)) == 0 { waiting.append(moved) }
            }
            unsafe rmdir(Self.name(folder))
        }
    }

    private static func joined(_ folder: [UInt8], _ child: [UInt8]) -> [UInt8] { folder + [UInt8(ascii: "/")] + child }

    /// As the C library takes it.
    private static func name(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }

    /// The status of the name itself, also where it is a link; all zero where there is none.
    private static func status(of path: [UInt8]) -> stat {
        var status = stat()
        _ = unsafe lstat(name(path), &status)
        return status
    }
}
