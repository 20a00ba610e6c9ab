/// Passwords of dialects, their switches, and stickers, after the store was closed and opened again.
import BatonSeams
import Harness
import Testing

@testable import Stores

@Suite struct DialectStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Each call opens the store anew.
    private func withStore<Result>(_ body: (DialectStore) throws -> Result) throws -> Result {
        let store = try DialectStore(folder: folder.path)
        defer { store.close() }
        #expect(store.notices == [])
        return try body(store)
    }

    private static func password(_ name: String, of dialect: String = "mpd") -> StoredDialectPassword {
        StoredDialectPassword(
            dialect: dialect, password: DialectPassword(name: name, role: .remote, createdMs: 7),
            hash: PasswordHash(cost: PasswordCost(rounds: 2, blocks: 3, lanes: 4), salt: [1, 0, 2], hash: [9, 0]))
    }

    private let song = StickerHolder(kind: "song", name: "lib:track/1")

    @Test func `passwords stay until they are removed, by a name in any case`() throws {
        try withStore { store in
            for name in ["kitchen", "Attic"] { try store.add(Self.password(name)) }
            try store.add(Self.password("kitchen", of: "other"))
        }
        try withStore { store in
            #expect(
                try store.passwords() == [Self.password("Attic"), Self.password("kitchen"), Self.password("kitchen", of: "other")])
            #expect(throws: SourceFault.self) { try store.add(Self.password("KITCHEN")) }
            try store.remove(passwordNamed: "KITCHEN", of: "mpd")
            try store.remove(passwordNamed: "nobody", of: "mpd")
        }
        #expect(try withStore { try $0.passwords() } == [Self.password("Attic"), Self.password("kitchen", of: "other")])
    }

    @Test func `a switch stays as it was set last`() throws {
        try withStore { store in
            #expect(try store.switches() == [:])
            try store.turn("mpd", on: true)
            try store.turn("mpd", on: false)
            try store.turn("mpris", on: true)
        }
        #expect(try withStore { try $0.switches() } == ["mpd": false, "mpris": true])
    }

    @Test func `stickers are set, changed in one step, and removed`() throws {
        let other = StickerHolder(kind: "playlist", name: "lib:track/1")
        try withStore { store in
            let first = try store.change("stars", of: song) { before in before == nil ? "4" : "0" }
            let second = try store.change("stars", of: song) { before in String((Int(before ?? "") ?? 0) + 2) }
            #expect(first == nil && second == "4")
            try store.change("note", of: song) { _ in "a = b" }
            try store.change("stars", of: other) { _ in "1" }
        }
        try withStore { store in
            #expect(try store.stickers(of: song) == [Sticker(name: "note", value: "a = b"), Sticker(name: "stars", value: "6")])
            #expect(try store.sticker("stars", of: song) == "6")
            #expect(try store.sticker("nothing", of: song) == nil)
            let names = try store.names().map { "\($0.name) \($0.kind)" }
            #expect(names == ["note song", "stars playlist", "stars song"])
            let last = try store.change("stars", of: song) { _ in nil }
            #expect(last == "6")
            #expect(try store.removeAll(of: song))
            #expect(try !store.removeAll(of: song))
            #expect(try store.stickers(of: other) == [Sticker(name: "stars", value: "1")])
        }
    }

    @Test func `a change that throws leaves the sticker as it was`() throws {
        try withStore { store in
            try store.change("stars", of: song) { _ in "4" }
            #expect(throws: SourceFault(.badRequest, "no")) {
                try store.change("stars", of: song) { _ throws(SourceFault) in throw SourceFault(.badRequest, "no") }
            }
            #expect(try store.sticker("stars", of: song) == "4")
        }
    }

    @Test func `holders of a sticker come in pieces, in order and each once`() throws {
        try withStore { store in
            for number in 0..<25 { try store.change("x", of: StickerHolder(kind: "song", name: "s\(number)")) { _ in "\(number)" } }
            var found: [String] = []
            var after: String?
            while true {
                let piece = try store.holders(ofKind: "song", with: "x", after: after, most: 4)
                found += piece.map(\.holder)
                guard let last = piece.last else { break }
                after = last.holder
            }
            let all = (0..<25).map { "s\($0)" }
            #expect(found == all.sorted())
            #expect(try store.holders(ofKind: "song", with: "y", after: nil, most: 4).isEmpty)
        }
    }
}
