/// What is no whole backup of this hub is refused with a sentence, and changes nothing; a hub that does not start with one gets its data back.
import BatonSeams
import Foundation
import Harness
import Testing

@testable import Stores

@Suite struct BadBackupTests {
    private let data: DataFolderSample
    private let archive: [UInt8]

    init() throws {
        data = try DataFolderSample()
        archive = try data.backup(withSecrets: true)
    }

    /// The sentence of the refusal, after which all is as it was.
    private func refusal(of archive: [UInt8], piece: Int = 70_000) throws -> String {
        let before = try data.files()
        let fault = #expect(throws: SourceFault.self) { try data.stage(archive, piece: piece) }
        #expect(try data.takeOver() == nil)
        #expect(try data.files() == before)
        return fault?.sentence ?? ""
    }

    @Test func `a backup that is cut short anywhere is refused`() throws {
        let cuts = [0, 1, 511, 512, 700, 5_000] + (1..<10).map { archive.count * $0 / 10 } + [archive.count - 1024, archive.count - 513]
        for cut in cuts {
            let sentence = try refusal(of: Array(archive.prefix(cut)))
            #expect(sentence.contains("ends too early") || sentence.contains("damaged"), "cut at \(cut): \(sentence)")
        }
    }

    @Test func `a byte that was changed in any part is refused`() throws {
        let list = try #require(try Self.parts(of: archive))
        for part in list where part.length > 0 {
            var changed = archive
            changed[part.start + part.length / 2] ^= 1
            let sentence = try refusal(of: changed)
            #expect(sentence.contains("damaged at \(part.name)"), "\(part.name): \(sentence)")
        }
    }

    @Test func `what comes in single bytes is read as well`() throws {
        try data.stage(archive, piece: 1)

        #expect(try data.takeOver() != nil)
    }

    @Test func `other files are no backup`() throws {
        for bytes in [Array("#!/bin/sh\n".utf8), [UInt8](repeating: 0, count: 4096), [UInt8](repeating: 255, count: 4096)] {
            #expect(try refusal(of: bytes).hasSuffix("nothing was changed."))
        }
    }

    @Test(arguments: [
        "../escape", "/etc/passwd", "keys/../../escape", "generated/a/../../x", "keys/.hidden", "state.db-wal", "lock", "kept/x",
    ])
    func `an archive chooses no path`(name: String) throws {
        let text = Array("x".utf8)
        var list = BackupList(hub: "hub-one-1", name: "Attic", version: "1.0", madeMs: 5, hasSecrets: true)
        list.parts = [
            BackupList.Part(name: name, bytes: 1, sha256: "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881")
        ]
        let first = list.encoded
        let archive = Self.entry(BackupList.fileName, first) + Self.entry(name, text) + TarHeader.end

        #expect(try refusal(of: archive) == BackupList.damaged.sentence)
        #expect(!FileManager.default.fileExists(atPath: "\(data.path)/../escape"))
    }

    @Test func `a backup of a later form, and one with a store of a later format, say so`() throws {
        let form = Array(String(decoding: archive[512..<1024], as: UTF8.self).replacing("\"format\":1", with: "\"format\":2").utf8)
        let later = Array(archive[..<512]) + form + Array(archive[1024...])
        #expect(try refusal(of: later).contains("Install the newer package first"))

        let newer = try DataFolderSample()
        try newer.change("library.db", "PRAGMA user_version = 99")
        #expect(try refusal(of: try newer.backup(withSecrets: true)).contains("was written by a newer Baton"))
    }

    @Test func `a backup of another hub is taken over only where that is wanted`() throws {
        let other = try DataFolderSample(hub: "hub-two-2")
        let sentence = #expect(throws: SourceFault.self) { try other.stage(archive) }?.sentence
        #expect(sentence?.contains("another hub, “Attic”") == true && sentence?.contains("--other-hub") == true)

        try other.stage(archive, takesOthers: true)
        try other.takeOver()

        #expect(other.text("hub-id") == "hub-one-1\n" && other.text("keys/hub.key") == "KEY-OF-THE-HUB\n")
    }

    @Test func `a hub that did not start with the backup has its own data again`() throws {
        try data.change("state.db", "UPDATE room SET level = 7")
        try data.write("keys/hub.key", "ANOTHER-KEY\n")
        let before = try data.files()
        try data.stage(archive)
        try data.takeOver()

        let told = try data.takeOver()

        #expect(told?.contains("did not start") == true)
        #expect(try data.files() == before)
    }

    @Test func `a hub that started with the backup keeps it`() throws {
        try data.change("state.db", "UPDATE room SET level = 7")
        try data.stage(archive)
        try data.takeOver()
        RestoredData(in: data.path).hasStarted()

        #expect(try data.takeOver() == nil)
        #expect(try data.answer("SELECT level FROM room", of: "state.db") == "42")
    }

    @Test func `taking over goes on where it was interrupted, and can still be taken back`() throws {
        for step in 0..<24 {
            let data = try DataFolderSample()
            try data.change("state.db", "UPDATE room SET level = 7")
            try data.write("keys/hub.key", "ANOTHER-KEY\n")
            let before = try data.files()
            try data.stage(archive)
            let restored = RestoredData(in: data.path)
            try restored.begin()
            for unit in restored.waiting.prefix(step / 2) {
                try restored.setAside(unit)
                try restored.put(unit)
            }
            if step % 2 == 1, let unit = restored.waiting.first { try restored.setAside(unit) }

            #expect(try data.takeOver() != nil)

            #expect(try data.answer("SELECT level FROM room", of: "state.db") == "42", "step \(step)")
            #expect(data.text("keys/hub.key") == "KEY-OF-THE-HUB\n", "step \(step)")
            try data.takeOver()
            #expect(try data.files() == before, "step \(step)")
        }
    }

    @Test func `taking back goes on where it was interrupted`() throws {
        for step in stride(from: 1, to: 26, by: 3) {
            let data = try DataFolderSample()
            try data.change("state.db", "UPDATE room SET level = 7")
            let before = try data.files()
            try data.stage(archive)
            try data.takeOver()
            let restored = RestoredData(in: data.path)
            for unit in RestoredData.units.prefix(step) { try restored.moveAway(unit) }
            for unit in RestoredData.units.prefix(max(0, step - RestoredData.units.count)) { try restored.bringBack(unit) }

            #expect(try data.takeOver() != nil)

            #expect(try data.files() == before, "step \(step)")
        }
    }

    // MARK: - Archives

    private static func entry(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        let header = TarHeader(name: name, bytes: Int64(bytes.count))
        return (header.encoded ?? []) + bytes + [UInt8](repeating: 0, count: header.padding)
    }

    /// Where the content of each part lies.
    private static func parts(of archive: [UInt8]) throws -> [(name: String, start: Int, length: Int)]? {
        var found: [(name: String, start: Int, length: Int)] = []
        var place = 0
        while let header = TarHeader(archive[place..<min(place + 512, archive.count)]) {
            found.append((header.name, place + 512, Int(header.bytes)))
            place += 512 + Int(header.bytes) + header.padding
        }
        return found.isEmpty ? nil : Array(found.dropFirst())
    }
}
