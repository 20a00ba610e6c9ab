/// Titles of stations that are saved, over restarts of the program.
import BatonCore
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

struct SavedTitleTests {
    private let first = SavedTitle(ItemURI("radio:station/1"), 440_006_148_432_000)
    private let second = SavedTitle(ItemURI("attic:station/7"), 440_006_148_433_000)

    /// BT-RAD-033
    @Test func `a title that is not finished is known with its file, until it is finished or removed`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            var store = try SourceStore(folder: folder)
            func reopen() throws {
                store.close()
                store = try SourceStore(folder: folder)
            }
            try store.put(first)
            try store.put(second)
            try store.note("Nord/2026-11-23/It's Low.mp3", of: second)
            try reopen()
            #expect(
                try store.unfinishedTitles() == [
                    UnfinishedTitle(first, file: nil), UnfinishedTitle(second, file: "Nord/2026-11-23/It's Low.mp3"),
                ])
            try store.finish(second)
            try store.remove(first)
            try reopen()
            #expect(try store.unfinishedTitles() == [] && store.savedTitles() == [second])
            store.close()
        }
    }

    /// SQLite's quick check takes the table of earlier versions for damaged, once a title is in it.
    @Test func `a file with titles of an earlier version is whole, whatever a check has found of it`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let path = folder + "/sources.db"
            let earlier = try Database(path)
            try Schema(steps: Array(Schema.sources.steps.prefix(5))).migrate(earlier)
            _ = try earlier.run("INSERT INTO saved_title (uri, number) VALUES (?, ?)", [.text(first.uri.text), .int(first.number)])
            earlier.close()
            #expect(DamageMark(of: path).checkIntegrity() == nil)
            #expect(FileManager.default.createFile(atPath: path + ".damaged", contents: nil))

            let store = try SourceStore(folder: folder)
            #expect(store.notices == [])
            #expect(try store.savedTitles() == [first] && store.unfinishedTitles() == [])
            #expect(store.checkIntegrity() == nil)
            store.close()
        }
    }
}
