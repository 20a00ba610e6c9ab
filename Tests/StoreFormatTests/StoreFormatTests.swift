/// Files of every format that a store ever had are brought up to today's, and a file of a later format is left alone.
///
/// `Formats/STORE.sql` holds each format as the code of its time made it, with rows; `make.py` writes it from the history.
import BatonCore
import BatonSeams
import Crypto
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

/// A store, as far as these tests see it.
struct KnownStore: Sendable, CustomTestStringConvertible {
    var name: String
    var file: String
    /// Opens what is in the folder and closes it again.
    var open: @Sendable (_ folder: String) throws -> Void
    /// What its samples have to give after that: a question with one answer each, from this format on.
    var answers: [(since: Int, question: String, answer: String)]

    var testDescription: String { name }

    static let all: [KnownStore] = [
        KnownStore(
            name: "StateStore", file: "state.db",
            open: { folder in
                let file = try StateFile(in: DataFolder(folder), freshEpoch: "fresh", boot: "b1", clock: .system)
                defer { file.close() }
                // An empty file of an early format has no rooms.
                for room in try file.load().rooms where room.room.id == RoomID("living") {
                    #expect(room.queue.entries.map(\.tags.title) == ["Three", "One", "Two"])
                    #expect(room.room.level == 42 && room.room.positionMs == 93_000)
                    #expect(room.room.modes.speed == 1250 && room.room.modes.repeat)
                }
            },
            answers: [
                (1, "SELECT epoch || last_revision FROM journal", "e141"), (1, "SELECT name FROM room", "Living room"),
                (1, "SELECT group_concat(title) FROM (SELECT title FROM entry ORDER BY id)", "One,Two,Three"),
                (1, "SELECT key FROM answer", "k-1"), (3, "SELECT room FROM habit", "living"),
            ]),
        KnownStore(
            name: "LibraryStore", file: "library.db", open: { folder in try LibraryStore(folder: folder).close() },
            answers: [
                (1, "SELECT path FROM folder", "/music"), (1, "SELECT name FROM file", "song.flac"),
                (2, "SELECT title || stars || favourite FROM track", "Song41"),
                (3, "SELECT group_concat(word) FROM (SELECT word FROM word ORDER BY word)", "ana,song"),
            ]),
        KnownStore(
            name: "SourceStore", file: "sources.db",
            open: { folder in
                let store = try SourceStore(folder: folder)
                defer { store.close() }
                let accounts = try store.accounts().map(\.name)
                #expect(accounts == ["attic"] || accounts == [])
            },
            answers: [
                (1, "SELECT title FROM account", "Attic"), (1, "SELECT item FROM outbox", "attic:track/1"),
                (2, "SELECT second FROM split", "b"),
                (3, "SELECT url FROM station", "http://harbour"), (4, "SELECT title FROM recording", "Harbour"),
                (5, "SELECT uri || number FROM saved_title", "radio:13"),
            ]),
        KnownStore(
            name: "JobStore", file: "gen.db",
            open: { folder in
                let store = try JobStore(folder: folder)
                defer { store.close() }
                let prompts = try store.jobs().map(\.request.prompt)
                #expect(prompts == ["slow rain"] || prompts == [])
            },
            answers: [
                (1, "SELECT title FROM job", "Slow Rain"), (1, "SELECT job FROM once", "job-1"), (3, "SELECT name FROM preset", "calm"),
            ]),
        KnownStore(
            name: "KeptStore", file: "kept.db", open: { folder in try KeptStore(folder: folder) { OpenSSL().sha256($0) }.close() },
            answers: [(1, "SELECT name FROM wish", "far:track/1"), (1, "SELECT title FROM track", "One")]),
        KnownStore(
            name: "UserStore", file: "users.db",
            open: { folder in
                let store = try UserStore(folder: folder)
                defer { store.close() }
                let names = try store.load().users.map(\.user.name)
                #expect(names == ["Anna"] || names == [])
            },
            answers: [(1, "SELECT name FROM user", "Anna"), (1, "SELECT user FROM link", "anna"), (2, "SELECT names FROM control", "anna")]),
        KnownStore(
            name: "DialectStore", file: "dialects.db",
            open: { folder in
                let store = try DialectStore(folder: folder)
                defer { store.close() }
                let names = try store.passwords().map(\.password.name)
                #expect(names == ["Kitchen"] || names == [])
            },
            answers: [
                (1, "SELECT name || role FROM password", "Kitchenremote"), (1, "SELECT is_on FROM switch", "1"),
                (1, "SELECT value FROM sticker", "4"),
            ]),
    ]

    /// The statements of each format.
    func formats() throws -> [String] {
        let path = SourceFolder.tests + "/StoreFormatTests/Formats/\(name).sql"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return text.components(separatedBy: "\n-- format ").dropFirst().map { $0.drop { $0 != "\n" }.description }
    }

    /// Makes a file of this format, or of one that comes later than all.
    func make(format: Int, in folder: String) throws {
        let database = try Database("\(folder)/\(file)")
        defer { database.close() }
        for statements in try formats().prefix(format) { try database.execute(statements) }
        try database.execute("PRAGMA user_version = \(format)")
    }

    /// Without comments and line breaks, whose wording is no part of a format.
    private static func plain(_ sql: String) -> String {
        sql.split(separator: "\n").map { line in
            String(line.range(of: "--").map { line[..<$0.lowerBound] } ?? line).trimmingCharacters(in: .whitespaces)
        }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// What the file says of itself: its version, and everything that was created in it.
    func schema(in folder: String) throws -> [String] {
        let database = try Database("\(folder)/\(file)")
        defer { database.close() }
        let version = try database.first("PRAGMA user_version") { $0.text(0) } ?? ""
        var lines = [version]
        try database.each("SELECT name || ': ' || ifnull(sql, '') FROM sqlite_master ORDER BY name") {
            lines.append(Self.plain($0.text(0)))
        }
        return lines
    }
}

enum SourceFolder {
    static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
}

@Suite struct StoreFormatTests {
    @Test(arguments: KnownStore.all) func `a file of every earlier format is brought up to today's with what was in it`(store: KnownStore)
        throws
    {
        let fresh = try TemporaryFolder()
        try store.open(fresh.path)
        let today = try store.schema(in: fresh.path)
        let formats = try store.formats().count
        #expect(today[0] == "\(formats)", "Formats/\(store.name).sql has not every format; make.py writes it anew.")

        for format in 1...formats {
            let folder = try TemporaryFolder()
            try store.make(format: format, in: folder.path)

            try store.open(folder.path)

            #expect(try store.schema(in: folder.path) == today, "from format \(format)")
            let database = try Database("\(folder.path)/\(store.file)")
            for sample in store.answers where sample.since <= format {
                let found = try database.first(sample.question) { $0.text(0) }
                #expect(found == sample.answer, "from format \(format): \(sample.question)")
            }
            database.close()
        }
    }

    @Test(arguments: KnownStore.all) func `a file of a later format is left alone, and a sentence says so`(store: KnownStore) throws {
        let folder = try TemporaryFolder()
        let formats = try store.formats().count
        try store.make(format: formats, in: folder.path)
        let database = try Database("\(folder.path)/\(store.file)")
        try database.execute("PRAGMA user_version = \(formats + 1)")
        database.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(store.file)"))

        let fault = #expect(throws: (any Error).self) { try store.open(folder.path) }

        let sentence = (fault as? JournalFault)?.sentence ?? (fault as? SourceFault)?.sentence ?? ""
        #expect(sentence.contains("was written by a newer Baton") && sentence.contains(store.file), "\(sentence)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(store.file)")) == before)
    }
}
