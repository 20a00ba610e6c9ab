package import BatonCore
package import BatonSeams
import Glibc
import Synchronization

/// Copies of tracks in a folder, with a limit in bytes: the least recently used ones are removed for new ones.
///
/// A copy is written under a temporary name and renamed when it is complete, so a partial one never counts; leftovers of a crash are
/// removed at the next start. File names are hashes, since an item's name may contain any character. Calls come from threads that may wait
/// for the disk; the lock guards the list of copies and is never held during disk calls.
package final class TrackCache: TrackKeeping {
    private struct Copy {
        var file: String
        var bytes: Int64
        /// Time at which it was written or played last.
        var usedNs: Int64
    }

    private struct State {
        var copies: [String: Copy] = [:]
        /// Bytes of copies that are being written.
        var growing: Int64 = 0
        var total: Int64 { copies.values.reduce(growing) { $0 + $1.bytes } }
    }

    private let folder: String
    private let limit: Int64
    private let digest: @Sendable ([UInt8]) -> [UInt8]
    private let state = Mutex(State())

    private static let partEnding = ".part"
    private static let pieceBytes = 128 * 1024

    /// `digest` is SHA-256. Blocks on the disk.
    package init(folder: String, limit: Int64, digest: @escaping @Sendable ([UInt8]) -> [UInt8]) throws(SourceFault) {
        self.folder = folder
        self.limit = limit
        self.digest = digest
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Self.fault("The folder of kept tracks", errno) }
        let copies = try Self.find(in: folder)
        state.withLock { $0.copies = copies }
        makeRoom(for: 0)
    }

    package var figures: (copies: Int, bytes: Int64) { state.withLock { ($0.copies.count, $0.total) } }

    package func has(_ uri: ItemURI) -> Bool {
        let key = key(uri)
        return state.withLock { $0.copies[key] != nil }
    }

    package func copy(of uri: ItemURI) -> NamedFile? {
        let key = key(uri)
        guard let copy = state.withLock({ $0.copies[key] }) else { return nil }
        let path = "\(folder)/\(copy.file)"
        noteUse(of: key, path)
        guard let file = OpenFileRange(path), file.stamp.size == copy.bytes else {
            forget(key)
            return nil
        }
        return NamedFile(path, file)
    }

    /// Sets the file's time, from which the next run of the program learns of the use.
    private func noteUse(of key: String, _ path: String) {
        let nowNs = Clock.system.wallMs.count * 1_000_000
        state.withLock { $0.copies[key]?.usedNs = nowNs }
        unsafe _ = utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW)
    }

    package func keep(_ track: NamedBytes, of uri: ItemURI, while mayGoOn: @Sendable () async -> Bool) async throws(SourceFault) {
        let key = key(uri)
        guard !has(uri) else { return }
        if let length = track.content.length, length > limit { throw tooLarge }
        let part = "\(folder)/\(key)\(Self.partEnding)"
        guard let file = NewFile(part) else { throw Self.fault("A kept track", errno) }
        var written: Int64 = 0
        defer { state.withLock { $0.growing -= written } }
        do throws(SourceFault) {
            while true {
                guard await mayGoOn() else { throw SourceFault.cancelled }
                let piece = try await track.content.read(at: written, count: Self.pieceBytes)
                if piece.isEmpty { break }
                guard makeRoom(for: Int64(piece.count)) else { throw tooLarge }
                state.withLock { $0.growing += Int64(piece.count) }
                written += Int64(piece.count)
                if let cause = file.write(piece) { throw Self.fault("A kept track", cause) }
            }
            guard written > 0, track.content.length.map({ $0 == written }) ?? true else {
                throw SourceFault(.unavailable, "“\(track.name)” came only in part.")
            }
            try finish(file, at: part, key: key, as: "\(key)\(Self.ending(of: track.name))", bytes: written)
        } catch {
            unsafe unlink(part)
            throw error
        }
    }

    private func finish(_ file: NewFile, at part: String, key: String, as name: String, bytes: Int64) throws(SourceFault) {
        guard file.settle(), unsafe rename(part, "\(folder)/\(name)") == 0 else { throw Self.fault("A kept track", errno) }
        let usedNs = Clock.system.wallMs.count * 1_000_000
        state.withLock { $0.copies[key] = Copy(file: name, bytes: bytes, usedNs: usedNs) }
    }

    /// Removes the oldest copies until `bytes` more fit. False if they exceed the limit.
    @discardableResult
    private func makeRoom(for bytes: Int64) -> Bool {
        while true {
            let (oldest, fits) = state.withLock { state -> (Copy?, Bool) in
                guard state.total + bytes > limit else { return (nil, true) }
                guard let oldest = state.copies.min(by: { $0.value.usedNs < $1.value.usedNs }) else { return (nil, false) }
                state.copies[oldest.key] = nil
                return (oldest.value, false)
            }
            guard let oldest else { return fits }
            unsafe unlink("\(folder)/\(oldest.file)")
        }
    }

    private func forget(_ key: String) {
        let copy = state.withLock { $0.copies.removeValue(forKey: key) }
        if let copy { unsafe unlink("\(folder)/\(copy.file)") }
    }

    private func key(_ uri: ItemURI) -> String { Hex.text(digest(Array(uri.text.utf8)).prefix(20)) }

    private var tooLarge: SourceFault { SourceFault(.tooLarge, "The track is larger than all tracks that may be kept (cache_limit).") }

    // MARK: The folder

    private static func find(in folder: String) throws(SourceFault) -> [String: Copy] {
        guard let list = unsafe opendir(folder) else { throw fault("The folder of kept tracks", errno) }
        defer { unsafe _ = closedir(list) }
        var copies: [String: Copy] = [:]
        while let entry = unsafe readdir(list) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix(".") else { continue }
            let path = "\(folder)/\(name)"
            if name.hasSuffix(partEnding) {
                unsafe unlink(path)
            } else if let file = OpenFileRange(path), file.stamp.size > 0 {
                copies[String(name.prefix { $0 != "." })] = Copy(file: name, bytes: file.stamp.size, usedNs: file.stamp.modifiedNs)
            }
        }
        return copies
    }

    /// The extension of the name, as a hint of the format.
    private static func ending(of name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        let end = name[name.index(after: dot)...].lowercased()
        let isPlain = (1...10).contains(end.utf8.count) && end.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
        return isPlain && end != "part" ? ".\(end)" : ""
    }

    private static func fault(_ what: String, _ cause: Int32) -> SourceFault {
        cause == ENOSPC || cause == EDQUOT
            ? SourceFault(.unavailable, "The disk is full, so no more tracks are kept.")
            : SourceFault(.unavailable, "\(what) cannot be written: \(unsafe String(cString: strerror(cause))).")
    }
}
