/// A backup holds all that a hub keeps, gives it back whole or not at all, and has secrets only where they were asked for.
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

@Suite struct BackupTests {
    private let data: DataFolderSample

    init() throws { data = try DataFolderSample() }

    private func later() throws {
        try data.change("state.db", "UPDATE room SET level = 7")
        try data.change("library.db", "UPDATE folder SET path = '/elsewhere'")
        try data.change("users.db", "DELETE FROM user")
        try data.write("keys/hub.key", "ANOTHER-KEY\n")
        try data.write("generated/job-2/piece.flac", "later")
    }

    @Test func `a restore brings back what each store had, and every file`() throws {
        let archive = try data.backup(withSecrets: true)
        try later()

        let restored = try data.stage(archive)
        #expect(try data.answer("SELECT level FROM room", of: "state.db") == "7", "Nothing may change before the next start.")
        let told = try data.takeOver()

        #expect(try data.answer("SELECT level FROM room", of: "state.db") == "42")
        #expect(try data.answer("SELECT path FROM folder", of: "library.db") == "/music")
        #expect(try data.answer("SELECT name FROM user", of: "users.db") == "Anna")
        #expect(data.text("keys/hub.key") == "KEY-OF-THE-HUB\n" && data.text("sources/attic.secret") == "password = PASSWORD-OF-ATTIC\n")
        #expect(data.text("generated/job-1/piece.flac")?.count == 3000 && data.text("generated/job-2/piece.flac") == nil)
        #expect(restored.again == [] && told?.contains("\(data.path)/replaced") == true)
    }

    @Test func `what was replaced stays beside the data until the next restore`() throws {
        let archive = try data.backup(withSecrets: true)
        try later()
        try data.stage(archive)
        try data.takeOver()
        RestoredData(in: data.path).hasStarted()

        #expect(data.text("replaced/keys/hub.key") == "ANOTHER-KEY\n" && data.text("replaced/generated/job-2/piece.flac") == "later")
        #expect(try data.answer("SELECT level FROM room", of: "replaced/state.db") == "7")
    }

    @Test func `remotes get a new epoch, since they may have seen later revisions`() throws {
        let archive = try data.backup(withSecrets: false)
        try data.stage(archive)
        try data.takeOver()

        #expect(try data.answer("SELECT open_boot FROM journal", of: "state.db") == "restored")
        #expect(try data.answer("SELECT count(*) FROM answer", of: "state.db") == "0")
    }

    @Test func `without secrets no key, password, token and session is in it, and those are named`() throws {
        let archive = try data.backup(withSecrets: false)

        for text in Array(DataFolderSample.secrets.values) + [String(decoding: DataFolderSample.passwordHash, as: UTF8.self)] {
            #expect(!archive.holds(text), "\(text)")
        }
        #expect(try data.backup(withSecrets: true).holds("TOKEN-OF-STUDIO"))
        let fresh = try DataFolderSample(hub: "hub-one-1")
        for name in DataFolderSample.secrets.keys { try FileManager.default.removeItem(atPath: "\(fresh.path)/\(name)") }
        let again = try fresh.stage(archive).again.joined(separator: " ")
        #expect(again.contains("Anna") && again.contains("attic") && again.contains("studio") && again.contains("mpd/Kitchen"))
    }

    @Test func `without secrets the keys and secrets that a hub has stay`() throws {
        let archive = try data.backup(withSecrets: false)
        try later()
        let again = try data.stage(archive).again
        try data.takeOver()

        #expect(data.text("keys/hub.key") == "ANOTHER-KEY\n" && data.text("sources/attic.secret") == "password = PASSWORD-OF-ATTIC\n")
        #expect(data.text("workers/studio.token") == "TOKEN-OF-STUDIO\n" && again.count == 2)
    }

    @Test func `a backup of the first formats comes up to today's`() throws {
        let old = try DataFolderSample(isOld: true)
        let archive = try old.backup(withSecrets: true)

        try data.stage(archive)
        try data.takeOver()

        for store in BackupPart.databases {
            let version = try data.answer("PRAGMA user_version", of: store)
            #expect(try DataFolderSample().answer("PRAGMA user_version", of: store) == version, "\(store)")
        }
        #expect(try data.answer("SELECT name FROM room", of: "state.db") == "Living room")
    }

    @Test func `the archive is one that tar reads`() throws {
        let file = try TemporaryFolder()
        try Data(try data.backup(withSecrets: true)).write(to: URL(fileURLWithPath: "\(file.path)/backup"))

        let listed = try Outcome.of(["tar", "-tf", "\(file.path)/backup"])

        #expect(listed.code == 0, "\(listed.err)")
        #expect(listed.out.hasPrefix("baton-backup.json\nstate.db\nlibrary.db\n") && listed.out.contains("generated/job-1/piece.flac"))
    }

    @Test func `the folders of a backup are gone once it was read`() throws {
        _ = try data.backup(withSecrets: true)

        #expect(!FileManager.default.fileExists(atPath: "\(data.path)/backup.part"))
    }
}
