/// The folders of the tree, which get their places and paths at the end of a scan.
import BatonSeams
import SQLite

extension LibraryDatabase {
    private struct TreeFolder {
        var id: Int64
        var name: String
        var above: Int64?
        var isWanted: Bool
        /// The folders in it that have songs in them or below.
        var below: [Int64] = []
        /// True when it has songs in it or below.
        var isShown = false
    }

    private struct FolderRow: Equatable {
        var above: Int
        var last: Int
        var folder: Int64
        var path: String
    }

    /// Writes the rows of `song_folder` that differ from what they should be.
    func orderSongFolders() throws(SourceFault) {
        let folders = try treeFolders()
        let top = folders.values.filter { $0.above == nil && ($0.isShown || $0.isWanted) }
        var rows = [FolderRow(above: 0, last: 1, folder: top.count == 1 ? top[0].id : 0, path: "")]
        var waiting: [(folder: TreeFolder, path: String, above: Int)] = []
        func wait(for below: [TreeFolder], in path: String, above: Int) {
            var names = Set<String>()
            let inOrder = below.map { (key: CollationKey($0.name), folder: $0) }.sorted {
                ($0.key, $0.folder.name, $0.folder.id) < ($1.key, $1.folder.name, $1.folder.id)
            }
            let named = inOrder.map { (folder: $0.folder, path: path + Self.freeName($0.folder.name, &names), above: above) }
            waiting += named.reversed()
        }
        wait(for: top.count == 1 ? top[0].below.compactMap { folders[$0] } : top.filter(\.isShown), in: "", above: 1)
        while let (folder, path, above) = waiting.popLast() {
            rows.append(FolderRow(above: above, last: rows.count + 1, folder: folder.id, path: path))
            wait(for: folder.below.compactMap { folders[$0] }, in: path + "/", above: rows.count)
        }
        for place in rows.indices.dropFirst().reversed() {
            rows[rows[place].above - 1].last = max(rows[rows[place].above - 1].last, rows[place].last)
        }
        try replaceSongFolders(by: rows)
    }

    /// Music folders with the same name are told apart by a number.
    private static func freeName(_ name: String, _ names: inout Set<String>) -> String {
        var number = 1
        var free = name
        while !names.insert(free).inserted {
            number += 1
            free = "\(name) (\(number))"
        }
        return free
    }

    private func treeFolders() throws(SourceFault) -> [Int64: TreeFolder] {
        var folders: [Int64: TreeFolder] = [:]
        try each("SELECT id, parent, name, is_wanted FROM folder") { row in
            folders[row.int64(0)] = TreeFolder(
                id: row.int64(0), name: row.text(2), above: row.isNull(1) ? nil : row.int64(1), isWanted: row.flag(3))
        }
        for folder in try all("SELECT DISTINCT folder FROM song", as: { $0.int64(0) }) {
            var next: Int64? = folder
            while let here = next, folders[here]?.isShown == false {
                folders[here]?.isShown = true
                next = folders[here]?.above
                if let above = next { folders[above]?.below.append(here) }
            }
        }
        return folders
    }

    // MARK: - Times

    /// Limit of the folders without a row whose times are noted: a disk may have millions without music.
    private static let mostTimes = 20_000

    /// The times of those folders that have a row.
    func times(of folders: [String]) throws(SourceFault) -> [String: Int64] {
        var times: [String: Int64] = [:]
        for path in folders {
            times[path] = try first("SELECT changed FROM folder WHERE path = ?", [.text(Self.tidy(path))]) { $0.int64(0) }
        }
        return times
    }

    func set(time: Int64, of folder: String) throws(SourceFault) {
        try run("UPDATE folder SET changed = ? WHERE path = ?", [.int(time), .text(Self.tidy(folder))])
    }

    func note(times: [String: Int64]) {
        guard folderTimes.count + times.count <= Self.mostTimes else { return }
        folderTimes.merge(times) { $1 }
    }

    // MARK: - Rows

    private func replaceSongFolders(by rows: [FolderRow]) throws(SourceFault) {
        let known = try all("SELECT above, last, folder, path FROM song_folder ORDER BY rank") { row in
            FolderRow(above: row.int(0), last: row.int(1), folder: row.int64(2), path: row.text(3))
        }
        guard known != rows else { return }
        songChanges += 1
        // Paths and folders are unique, so the rows that change are removed first.
        let same = zip(known, rows).prefix { $0 == $1 }.count
        try run("DELETE FROM song_folder WHERE rank > ?", [.int(same)])
        for (place, row) in rows.enumerated().dropFirst(same) {
            try run(
                "INSERT INTO song_folder (rank, above, last, folder, path, folded) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    .int(place + 1), .int(row.above), .int(row.last), .int(row.folder), .text(row.path), .text(row.path.lowercased()),
                ])
        }
    }
}
