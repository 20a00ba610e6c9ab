import BatonReading
import BatonSeams
import Glibc
import Synchronization

/// The folder of stored pictures, with their total size and last uses.
final class PictureShelf: Sendable {
    private let folder: String
    private let mostBytes: Int
    private let state = Mutex(State())

    private struct State {
        var items: [String: Item] = [:]
        var bytes = 0
        var hasLooked = false
        /// Number of uses, which orders two within one second.
        var uses: Int64 = 0
        var newFiles = 0
    }

    private struct Item {
        var bytes: Int
        /// Number of the last use since the start; before that the negative age of the file.
        var used: Int64
    }

    init(folder: String, mostBytes: Int) {
        self.folder = folder
        self.mostBytes = mostBytes
    }

    /// `nil` if it is missing, or is not a valid picture.
    func take(_ name: String, id: String, format: Picture.Format) -> Picture? {
        let isKept = state.withLock { state in
            look(&state)
            guard state.items[name] != nil else { return false }
            state.uses += 1
            state.items[name]?.used = state.uses
            return true
        }
        guard isKept else { return nil }
        guard let bytes = read(path(name)), let header = try? PictureHeader(of: bytes), Picture.Format(header.type) == format else {
            forget(name)
            return nil
        }
        // The next start reads the last use from the file's time.
        _ = unsafe utimensat(AT_FDCWD, path(name), nil, 0)
        return Picture(id: id, format: format, width: header.width, height: header.height, bytes: bytes)
    }

    /// Stores a picture, written under a temporary name and renamed. Failures are ignored.
    func put(_ name: String, _ bytes: [UInt8]) {
        let number = state.withLock { state in
            state.newFiles += 1
            return state.newFiles
        }
        let beside = path("\(Self.newMark)\(getpid())-\(number)")
        _ = unsafe mkdir(folder, 0o700)
        guard write(bytes, to: beside), unsafe rename(beside, path(name)) == 0 else {
            _ = unsafe unlink(beside)
            return
        }
        let surplus = state.withLock { state in
            look(&state)
            state.bytes += bytes.count - (state.items[name]?.bytes ?? 0)
            state.uses += 1
            state.items[name] = Item(bytes: bytes.count, used: state.uses)
            return takeSurplus(of: &state)
        }
        for name in surplus { _ = unsafe unlink(path(name)) }
    }

    /// Removes the least recently used files until the rest fits with some room to spare.
    private func takeSurplus(of state: inout State) -> [String] {
        guard state.bytes > mostBytes else { return [] }
        var gone: [String] = []
        for (name, item) in state.items.sorted(by: { $0.value.used < $1.value.used }) where state.bytes > mostBytes / 10 * 9 {
            state.bytes -= item.bytes
            state.items[name] = nil
            gone.append(name)
        }
        return gone
    }

    private func forget(_ name: String) {
        state.withLock { state in
            if let item = state.items.removeValue(forKey: name) { state.bytes -= item.bytes }
        }
        _ = unsafe unlink(path(name))
    }

    // MARK: The folder

    private static let newMark = "new-"

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Reads the folder at the first request, and removes unfinished files of an earlier run.
    private func look(_ state: inout State) {
        guard !state.hasLooked else { return }
        state.hasLooked = true
        guard let listing = unsafe opendir(folder) else { return }
        defer { unsafe closedir(listing) }
        let now = time(nil)
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            var status = stat()
            guard !name.hasPrefix("."), unsafe stat(path(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            if name.hasPrefix(Self.newMark) {
                _ = unsafe unlink(path(name))
            } else {
                state.items[name] = Item(bytes: Int(status.st_size), used: min(0, Int64(status.st_mtim.tv_sec - now)))
                state.bytes += Int(status.st_size)
            }
        }
    }

    private func read(_ path: String) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_size <= PictureLocation.mostBytes else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        guard unsafe Glibc.read(file, &bytes, bytes.count) == bytes.count else { return nil }
        return bytes
    }

    private func write(_ bytes: [UInt8], to path: String) -> Bool {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        let isWhole = unsafe Glibc.write(file, bytes, bytes.count) == bytes.count
        return close(file) == 0 && isWhole
    }
}
