/// The folders of the library: the configured ones, and every folder in which music was found.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    func wantedFolders() throws(SourceFault) -> [LibraryFolder] {
        try all("SELECT path, tracks, problem, holds FROM folder WHERE is_wanted = 1 ORDER BY path") { row in
            LibraryFolder(
                path: row.text(0), tracks: row.int(1), problem: row.maybeText(2), holds: FolderContent(rawValue: row.text(3)) ?? .music)
        }
    }

    func setFolder(_ path: String, isWanted: Bool, holds: FolderContent?) throws(SourceFault) -> Bool {
        let path = Self.tidy(path)
        let known = try first("SELECT is_wanted, holds FROM folder WHERE path = ?", [.text(path)]) { ($0.flag(0), $0.text(1)) }
        let was = known?.0 ?? false
        let content = holds?.rawValue ?? (was ? known?.1 : nil) ?? FolderContent.music.rawValue
        guard was != isWanted || isWanted && known?.1 != content else { return false }
        libraryCounts.libraryRevision += 1
        pending.ordersSongFolders = true
        if isWanted {
            let id = try folder(path, isRoot: true)
            try run("UPDATE folder SET is_wanted = 1, holds = ? WHERE id = ?", [.text(content), .int(id)])
            try adopt(below: path, into: id)
        } else {
            try run("UPDATE folder SET is_wanted = 0, problem = NULL WHERE path = ?", [.text(path)])
            try dropUnwanted(below: path)
        }
        return true
    }

    /// The number of a folder, which is created together with its parents in the library.
    func folder(_ path: String, isRoot: Bool = false) throws(SourceFault) -> Int64 {
        if let known = try knownFolder(path) { return known }
        var parent: Int64?
        var missing = [path]
        var next = Self.parent(of: path)
        while let here = next {
            parent = try knownFolder(here)
            guard parent == nil else { break }
            missing.append(here)
            next = Self.parent(of: here)
        }
        // Without a parent in the library it becomes a separate root.
        guard var id = parent else { return try insert(folder: path, in: nil) }
        for path in missing.reversed() { id = try insert(folder: path, in: id) }
        return id
    }

    private func knownFolder(_ path: String) throws(SourceFault) -> Int64? {
        if let known = pending.folders[path] { return known }
        let known = try first("SELECT id FROM folder WHERE path = ?", [.text(path)]) { $0.int64(0) }
        if let known { pending.folders[path] = known }
        return known
    }

    private func insert(folder path: String, in parent: Int64?) throws(SourceFault) -> Int64 {
        let name = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
        let hash = try freeHash(of: path) { number throws(SourceFault) in
            try first("SELECT 1 FROM folder WHERE hash = ?", [.int(number)]) { _ in true } == nil
        }
        let id = try insert(
            "INSERT INTO folder (parent, path, name, sort, hash, changed) VALUES (?, ?, ?, ?, ?, ?)",
            [
                parent.map { .int($0) } ?? .null, .text(path), .text(name), .text(Folding.fold(name)), .int(hash),
                .int(folderTimes[path] ?? 0),
            ])
        pending.folders[path] = id
        return id
    }

    func existingFolder(_ path: String) throws(SourceFault) -> Int64? {
        try first("SELECT id FROM folder WHERE path = ?", [.text(Self.tidy(path))]) { $0.int64(0) }
    }

    /// A track counts in its folder and in all folders above it.
    func writeCounts() throws(SourceFault) {
        var totals: [Int64: Int] = [:]
        var parents: [Int64: Int64] = [:]
        for (folder, change) in pending.counts where change != 0 {
            var next = folder
            var steps = 0
            while next > 0, steps < 200 {
                totals[next, default: 0] += change
                if parents[next] == nil {
                    parents[next] = try first("SELECT parent FROM folder WHERE id = ?", [.int(next)]) { $0.int64(0) }
                }
                next = parents[next] ?? 0
                steps += 1
            }
        }
        pending.counts = [:]
        for (folder, change) in totals where change != 0 {
            try run("UPDATE folder SET tracks = tracks + ? WHERE id = ?", [.int(change), .int(folder)])
        }
    }

    /// While a folder cannot be read, its content stays and is shown grey.
    func noteFolder(_ path: String, problem: String?) throws(SourceFault) {
        let path = Self.tidy(path)
        let found = try first("SELECT id, problem FROM folder WHERE path = ?", [.text(path)]) { ($0.int64(0), $0.maybeText(1)) }
        guard let (id, before) = found, before != problem else { return }
        try run("UPDATE folder SET problem = ? WHERE id = ?", [.maybe(problem), .int(id)])
        libraryCounts.libraryRevision += 1
        guard (before == nil) != (problem == nil) else { return }
        try run(
            """
            UPDATE track SET is_away = ? WHERE is_gone = 0 AND file IN (
                SELECT file.id FROM file JOIN folder ON folder.id = file.folder
                WHERE folder.path = ? OR (folder.path > ? AND folder.path < ?))
            """, [.flag(problem != nil)] + Self.span(path))
    }

    // MARK: - Paths

    /// Values for `path = ? OR (path > ? AND path < ?)`: a folder and all below it.
    static func span(_ path: String) -> [Value] {
        let inside = path == "/" ? "/" : path + "/"
        return [.text(path), .text(inside), .text(inside.dropLast() + "0")]
    }

    static func tidy(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        return String(path)
    }

    static func parent(of path: String) -> String? {
        guard let cut = path.lastIndex(of: "/"), path.count > 1 else { return nil }
        return cut == path.startIndex ? "/" : String(path[..<cut])
    }

    /// Attaches separate folders to a root that was added above them.
    private func adopt(below path: String, into root: Int64) throws(SourceFault) {
        let alone = try all(
            "SELECT id, path, tracks FROM folder WHERE parent IS NULL AND id <> ?1 AND path > ?3 AND path < ?4 AND ?2 <> ''",
            [.int(root)] + Self.span(path)
        ) { (id: $0.int64(0), path: $0.text(1), tracks: $0.int(2)) }
        for child in alone {
            guard let above = Self.parent(of: child.path) else { continue }
            let parent = try folder(above)
            try run("UPDATE folder SET parent = ? WHERE id = ?", [.int(parent), .int(child.id)])
            pending.counts[parent, default: 0] += child.tracks
            // Uses the new parents.
            try writeCounts()
        }
    }

    /// Deletes files outside of all configured folders, except those with marks.
    private func dropUnwanted(below path: String) throws(SourceFault) {
        let wanted = try wantedFolders().map(\.path)
        let isKept = { (path: String) in wanted.contains { path == $0 || $0 == "/" || path.hasPrefix($0 + "/") } }
        let folders = try all(
            "SELECT id, path FROM folder WHERE path = ? OR (path > ? AND path < ?)", Self.span(path)
        ) { (id: $0.int64(0), path: $0.text(1)) }
        let doomed = folders.filter { !isKept($0.path) }
        for folder in doomed {
            for file in try all("SELECT id FROM file WHERE folder = ?", [.int(folder.id)], as: { FileID($0.int64(0)) }) { try lose(file) }
        }
        try purge()
        for folder in doomed {
            try run(
                "DELETE FROM folder WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM file WHERE folder = ?1)", [.int(folder.id)])
        }
        // Folders that stay may have lost their parent.
        try run("UPDATE folder SET parent = NULL WHERE parent IS NOT NULL AND parent NOT IN (SELECT id FROM folder)")
    }
}
