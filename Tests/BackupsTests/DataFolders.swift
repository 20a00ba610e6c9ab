/// Data folders as hubs leave them, of every format that each store had, and backups of them.
import BatonSeams
import Foundation
import Harness
import SQLite

@testable import Stores

/// A data folder with something in each store.
struct DataFolderSample {
    let folder: TemporaryFolder
    var path: String { folder.path }

    private static let stores = [
        ("StateStore", "state.db"), ("LibraryStore", "library.db"), ("SourceStore", "sources.db"), ("JobStore", "gen.db"),
        ("KeptStore", "kept.db"), ("UserStore", "users.db"), ("DialectStore", "dialects.db"),
    ]
    static let secrets = [
        "keys/hub.key": "KEY-OF-THE-HUB", "keys/devices": "KEY-OF-A-DEVICE", "sources/attic.secret": "password = PASSWORD-OF-ATTIC",
        "workers/studio.token": "TOKEN-OF-STUDIO",
    ]
    /// As users.db and dialects.db hold the hash of a password.
    static let passwordHash = Array("HASH-OF-A-PASSWORD-OF-32-BYTES-x".utf8)

    /// With `format` each store is of its first format, else of its newest.
    init(isOld: Bool = false, hub: String = "hub-one-1") throws {
        folder = try TemporaryFolder()
        for (name, file) in Self.stores {
            let formats = try Self.formats(of: name)
            let database = try Database("\(path)/\(file)")
            let count = isOld ? 1 : formats.count
            // Nothing here has to survive the loss of power.
            try database.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
            for statements in formats.prefix(count) { try database.execute(statements) }
            try database.execute("PRAGMA user_version = \(count)")
            if file == "users.db" { try database.run("UPDATE user SET hash = ?", [.blob(Self.passwordHash)]) }
            if file == "dialects.db" { try database.run("UPDATE password SET hash = ?", [.blob(Self.passwordHash)]) }
            database.close()
        }
        try write("hub-id", hub + "\n")
        try write("workers/workers.conf", "[worker studio]\nurl = http://studio\n")
        try write("generated/job-1/piece.flac", String(repeating: "sound ", count: 500))
        for (name, text) in Self.secrets { try write(name, text + "\n") }
    }

    private static func formats(of store: String) throws -> [String] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
        let text = try String(contentsOfFile: "\(tests)/StoreFormatTests/Formats/\(store).sql", encoding: .utf8)
        return text.components(separatedBy: "\n-- format ").dropFirst().map { $0.drop { $0 != "\n" }.description }
    }

    func write(_ name: String, _ text: String) throws {
        let file = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data(text.utf8).write(to: file)
    }

    func text(_ name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

    func answer(_ question: String, of store: String) throws -> String? {
        let database = try Database("\(path)/\(store)")
        defer { database.close() }
        return try database.first(question) { $0.text(0) }
    }

    func change(_ store: String, _ statement: String) throws {
        let database = try Database("\(path)/\(store)")
        try database.execute(statement)
        database.close()
    }

    /// Every file below it with its content, but for the lock.
    func files() throws -> [String: Data] {
        var found: [String: Data] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: path) ?? FileManager.DirectoryEnumerator() {
            guard let content = FileManager.default.contents(atPath: "\(path)/\(name)"), name != "lock" else { continue }
            found[name] = content
        }
        return found
    }

    func backup(withSecrets: Bool) throws -> [UInt8] {
        let list = BackupList(hub: "hub-one-1", name: "Attic", version: "1.0", madeMs: 5, hasSecrets: withSecrets)
        let archive = try BackupMaking(of: path, list).make()
        var bytes: [UInt8] = []
        while Int64(bytes.count) < archive.length { bytes += try archive.read(at: Int64(bytes.count), count: 10_000) }
        return bytes
    }

    /// What a running hub does with a backup, in pieces of this size.
    @discardableResult
    func stage(_ archive: [UInt8], takesOthers: Bool = false, piece: Int = 70_000) throws -> Restored {
        let own = text("hub-id")?.trimmingCharacters(in: .newlines)
        let restore = try Restore(into: path, Restore.Rules(hub: own, takesOthers: takesOthers))
        var rest = archive[...]
        while !rest.isEmpty {
            try restore.take(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
        }
        return try restore.stage()
    }

    /// What the next start does.
    @discardableResult
    func takeOver() throws -> String? { try RestoredData(in: path).takeOver() }
}

extension [UInt8] {
    func holds(_ text: String) -> Bool { Data(self).range(of: Data(text.utf8)) != nil }
}
