/// A library whose file is damaged: one sentence, and a fresh file at the next start.
import BatonCore
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

struct DamageTests {
    @Test func `damage that opening a library does not meet is found later, and the next start sets the file aside`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let file = folder + "/library.db"
            let library = try LibraryStore(folder: folder)
            #expect(library.checkIntegrity() == nil)
            library.close()
            let page = try Database(file).first("SELECT rootpage FROM sqlite_schema WHERE name = 'playlist_edit'") { $0.int(0) }
            let handle = try #require(FileHandle(forUpdatingAtPath: file))
            try handle.seek(toOffset: UInt64(try #require(page) - 1) * 4_096)
            try handle.write(contentsOf: Data(repeating: 0xAA, count: 100))
            try handle.close()

            let damaged = try LibraryStore(folder: folder)
            #expect(damaged.notices.isEmpty)
            #expect(damaged.checkIntegrity()?.contains(file) == true)
            damaged.close()

            let fresh = try LibraryStore(folder: folder)
            #expect(fresh.notices.first?.contains("library.db.damaged-1") == true)
            fresh.close()
            let again = try LibraryStore(folder: folder)
            #expect(again.notices.isEmpty)
            again.close()
        }
    }
}
