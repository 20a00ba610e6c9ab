package import BatonCore
package import BatonSeams
/// Files of complete and partial copies.
import Disk
import Glibc
import SQLite

extension KeptStore {
    package func copy(of uri: ItemURI) -> NamedFile? {
        guard let copy = copies.withLock({ $0[uri] }) else { return nil }
        let path = "\(folder)/\(copy.file)"
        if let file = OpenFileRange(path), file.stamp == copy.stamp { return NamedFile(path, file) }
        // A file moved to another disk is still valid; a changed one is not played.
        let row = try? database.wait { kept throws(SourceFault) in try Self.digest(of: uri, in: kept) }
        if let digest = row.flatMap({ $0 }), let file = same(copy, digest: digest, uri: uri) { return NamedFile(path, file) }
        lose(uri, copy.file)
        return nil
    }

    /// A valid copy, or `nil` if there is none or its file was changed.
    func verified(_ row: TrackRow) -> Copy? {
        guard let copy = row.copy else { return nil }
        if let file = OpenFileRange("\(folder)/\(copy.file)") {
            if file.stamp == copy.stamp { return copy }
            if let file = same(copy, digest: row.digest, uri: row.uri) { return Copy(file: copy.file, stamp: file.stamp) }
        }
        lose(row.uri, copy.file)
        return nil
    }

    /// Reads the file, and stores its current stamp if the content is still the downloaded one.
    private func same(_ copy: Copy, digest expected: [UInt8], uri: ItemURI) -> OpenFileRange? {
        guard let file = OpenFileRange("\(folder)/\(copy.file)"), file.stamp.size == copy.stamp.size, (try? digest(of: file)) == expected
        else {
            return nil
        }
        copies.withLock { $0[uri] = Copy(file: copy.file, stamp: file.stamp) }
        _ = try? database.wait { kept throws(SourceFault) in
            try kept.run(
                "UPDATE track SET changed_ns = ?, inode = ? WHERE uri = ?",
                [.int(file.stamp.modifiedNs), .int(Int64(bitPattern: file.stamp.inode)), .text(uri.text)])
        }
        return file
    }

    private func lose(_ uri: ItemURI, _ name: String) {
        copies.withLock { $0[uri] = nil }
        unsafe unlink("\(folder)/\(name)")
        _ = try? database.wait { kept throws(SourceFault) in
            try kept.run("UPDATE track SET file = NULL, bytes = NULL, digest = NULL WHERE uri = ?", [.text(uri.text)])
        }
    }

    private static func digest(of uri: ItemURI, in kept: StoreDatabase) throws(SourceFault) -> [UInt8]? {
        try kept.first("SELECT digest FROM track WHERE uri = ? AND digest IS NOT NULL", [.text(uri.text)]) { $0.blob(0) }
    }

    /// A digest over the digests of its pieces, so that only one piece is in memory.
    private func digest(of file: OpenFileRange) throws(SourceFault) -> [UInt8] {
        var digests: [UInt8] = []
        var position: Int64 = 0
        while position < file.stamp.size {
            let piece = try file.read(at: position, count: Self.pieceBytes)
            guard !piece.isEmpty else { break }
            digests += digest(piece)
            position += Int64(piece.count)
        }
        return digest(digests)
    }

    /// Deletes files that no row names, such as those of a track that was dropped when the program ended.
    func removeOthers(than files: Set<String>) {
        for name in FolderNames.visible(in: folder) where !files.contains(name) { unsafe unlink("\(folder)/\(name)") }
    }

    // MARK: - Fetching

    package func fetch(
        _ track: NamedBytes, of uri: ItemURI, most: Int64, while mayGoOn: @Sendable (KeepPlan.Progress) async -> Bool
    ) async throws(SourceFault) -> Int64 {
        if let copy = copies.withLock({ $0[uri] }) { return copy.stamp.size }
        if let length = track.content.length, length > most { throw Self.tooLarge }
        let path = part(of: uri)
        guard let part = AppendedFile(path) else { throw Self.fault("A kept track", errno) }
        var position = try await beginning(of: part, track.content, uri)
        do throws(SourceFault) {
            while true {
                guard await mayGoOn(KeepPlan.Progress(done: position, total: track.content.length)) else { throw SourceFault.cancelled }
                let piece = try await Self.piece(of: track.content, at: position)
                if piece.isEmpty { break }
                guard position + Int64(piece.count) <= most else { throw Self.tooLarge }
                if let spareBytes, spareBytes < Int64(piece.count) { throw Self.fault("A kept track", ENOSPC) }
                if let cause = part.append(piece) { throw Self.fault("A kept track", cause) }
                position += Int64(piece.count)
            }
        } catch {
            // An incomplete file must not stay on a full disk.
            if error.code == .quota || error.code == .tooLarge { unsafe unlink(path) }
            throw error
        }
        guard position > 0, track.content.length.map({ $0 == position }) ?? true else {
            throw SourceFault(.unavailable, "“\(track.name)” came only in part.")
        }
        try finish(part, at: path, of: uri, as: "\(key(uri))\(Self.ending(of: track.name))")
        return position
    }

    /// The position to resume from: the end of the partial file, if that belongs to the current content.
    private func beginning(of part: AppendedFile, _ content: any ByteSource, _ uri: ItemURI) async throws(SourceFault) -> Int64 {
        let known = try database.wait { kept throws(SourceFault) in
            try kept.first("SELECT version, length FROM track WHERE uri = ?", [.text(uri.text)]) {
                ($0.maybeText(0), $0.isNull(1) ? nil : $0.int64(1))
            }
        }
        let version = content.version?.tag
        if part.size > 0, content.hasRanges, let known, known.0 == version, known.1 == content.length, content.length != nil,
            await Self.joins(part, content)
        {
            return part.size
        }
        guard part.cut(to: 0) else { throw Self.fault("A kept track", errno) }
        _ = try database.wait { kept throws(SourceFault) in
            try kept.run(
                "UPDATE track SET version = ?, length = ? WHERE uri = ?",
                [version.map { .text($0) } ?? .null, content.length.map { .int($0) } ?? .null, .text(uri.text)])
        }
        return 0
    }

    /// Whether the partial file fits. Its end is compared too, since some servers send no version, or a wrong one.
    private static func joins(_ part: AppendedFile, _ content: any ByteSource) async -> Bool {
        let seam = part.last(4096)
        let start = part.size - Int64(seam.count)
        var found: [UInt8] = []
        while found.count < seam.count {
            guard let piece = try? await content.read(at: start + Int64(found.count), count: seam.count - found.count), !piece.isEmpty
            else { return false }
            found += piece
        }
        return found == seam
    }

    /// Reads large pieces, since the hub is consulted before each.
    private static func piece(of content: any ByteSource, at position: Int64) async throws(SourceFault) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < pieceBytes {
            let piece = try await content.read(at: position + Int64(bytes.count), count: pieceBytes - bytes.count)
            if piece.isEmpty { break }
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
        }
        return bytes
    }

    private func finish(_ part: AppendedFile, at path: String, of uri: ItemURI, as name: String) throws(SourceFault) {
        let whole = "\(folder)/\(name)"
        guard part.settle(), let file = OpenFileRange(path) else { throw Self.fault("A kept track", errno) }
        let digest = try digest(of: file)
        guard unsafe rename(path, whole) == 0 else { throw Self.fault("A kept track", errno) }
        let stamp = file.stamp
        let isWanted = try database.wait { kept throws(SourceFault) in
            try kept.run(
                "UPDATE track SET file = ?, bytes = ?, changed_ns = ?, inode = ?, digest = ? WHERE uri = ?",
                [
                    .text(name), .int(stamp.size), .int(stamp.modifiedNs), .int(Int64(bitPattern: stamp.inode)), .blob(digest),
                    .text(uri.text),
                ]) > 0
        }
        guard isWanted else {
            unsafe unlink(whole)
            throw SourceFault.cancelled
        }
        copies.withLock { $0[uri] = Copy(file: name, stamp: stamp) }
    }

    private static var tooLarge: SourceFault { SourceFault(.tooLarge, "The track does not fit into what may be kept (keep_limit).") }
}
