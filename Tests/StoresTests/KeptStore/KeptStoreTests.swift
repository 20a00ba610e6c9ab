/// What people keep: whole copies only, gone on with after a restart, and fetched anew when they were changed.
import BatonCore
import BatonSeams
import Crypto
import Foundation
import Harness
import Synchronization
import Testing

@testable import Stores

@Suite struct KeptStoreTests {
    /// So many bytes; `breaksAt` ends them with a fault.
    private final class Track: ByteSource {
        let bytes: [UInt8]
        let length: Int64?
        let breaksAt: Int?
        let version: ContentVersion?
        let reads = Mutex<[Int64]>([])
        var hasRanges: Bool { true }

        init(_ count: Int, says length: Int? = nil, breaksAt: Int? = nil, tag: String? = nil, factor: Int = 7) {
            bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* factor &+ $0 / 251) }
            self.length = Int64(length ?? count)
            self.breaksAt = breaksAt
            version = tag.map { ContentVersion(tag: $0) }
        }

        func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
            reads.withLock { $0.append(position) }
            if let breaksAt, Int(position) >= breaksAt { throw SourceFault(.unavailable, "It broke off.") }
            return Array(bytes.dropFirst(Int(position)).prefix(min(count, 50_000)))
        }
    }

    private let data: TemporaryFolder

    init() throws { data = try TemporaryFolder() }

    private func store() throws -> KeptStore { try KeptStore(folder: data.path) { OpenSSL().sha256($0) } }
    private var folder: String { data.path + "/kept" }
    private var files: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } }
    private func uri(_ number: Int) -> ItemURI { ItemURI("far:track/../\(number)") }

    private func wish(_ numbers: ClosedRange<Int>, in store: KeptStore, dropping dropped: [ItemURI] = []) throws {
        try store.put(
            KeptContents.Wish(.item(ItemURI("far:album/1")), title: "Tones", kind: .album, members: numbers.map(uri)),
            numbers.map { KeptContents.Track(uri($0), title: "Song \($0)") }, dropping: dropped)
    }

    @discardableResult
    private func fetch(_ track: Track, _ number: Int, in store: KeptStore, most: Int64 = 1 << 30, pieces: Int = .max) async -> SourceFault?
    {
        let left = Mutex(pieces)
        do throws(SourceFault) {
            _ = try await store.fetch(NamedBytes("Song \(number).FLAC", track), of: uri(number), most: most) { _ in
                left.withLock {
                    $0 -= 1
                    return $0 >= 0
                }
            }
            return nil
        } catch {
            return error
        }
    }

    @Test func `wishes, rules, the limit and whole copies are there again after a restart`() async throws {
        let first = try store()
        try wish(1...2, in: first)
        try first.put(KeptContents.Wish(.mostPlayed(20), title: "20 most played", members: [uri(2)]), [], dropping: [])
        try first.put(KeptContents.Wish(.favourites, title: "Favourites", members: []), [], dropping: [])
        try first.setLimit(12_345)
        #expect(await fetch(Track(600_000), 1, in: first) == nil)
        first.close()

        let next = try store()
        let contents = try next.contents()

        #expect(contents.wishes.map(\.wish) == [.item(ItemURI("far:album/1")), .mostPlayed(20), .favourites])
        #expect(contents.wishes[0].members == [uri(1), uri(2)] && contents.wishes[0].kind == .album && contents.limit == 12_345)
        #expect(contents.tracks.first { $0.uri == uri(1) } == KeptContents.Track(uri(1), title: "Song 1", bytes: 600_000))
        #expect(contents.tracks.first { $0.uri == uri(2) }?.bytes == nil)
        let copy = try #require(next.copy(of: uri(1)))
        #expect(next.has(uri(1)) && copy.path.hasSuffix(".flac"))
        #expect(try copy.content.read(at: 599_990, count: 100) == Array(Track(600_000).bytes.suffix(10)))
        #expect(try files.count == 1 && !files[0].contains("/"))
    }

    @Test func `a copy in part stays over a restart and is gone on with`() async throws {
        let first = try store()
        try wish(1...1, in: first)
        #expect(await fetch(Track(900_000, tag: "v1"), 1, in: first, pieces: 2)?.code == .cancelled)
        #expect(!first.has(uri(1)) && first.copy(of: uri(1)) == nil)
        first.close()

        let next = try store()
        #expect(try next.contents().tracks.first?.bytes == nil)
        let track = Track(900_000, tag: "v1")
        #expect(await fetch(track, 1, in: next) == nil)

        let reads = track.reads.withLock { $0 }
        #expect(reads.allSatisfy { $0 >= 2 * Int64(KeptStore.pieceBytes) - 4096 }, "It began at \(reads.min() ?? -1).")
        let copy = try #require(next.copy(of: uri(1)))
        #expect(copy.content.stamp.size == 900_000)
        for position in stride(from: 0, to: 900_000, by: 100_000) {
            #expect(try copy.content.read(at: Int64(position), count: 1000) == Array(track.bytes[position..<position + 1000]))
        }
    }

    @Test(arguments: ["another version", "another length", "another content", "no version, another content"])
    func `a part of another state of the track is begun anew`(change: String) async throws {
        let store = try store()
        try wish(1...1, in: store)
        let tag = change.hasPrefix("no version") ? nil : "v1"
        #expect(await fetch(Track(900_000, tag: tag), 1, in: store, pieces: 2)?.code == .cancelled)
        let track =
            switch change {
            case "another version": Track(900_000, tag: "v2")
            case "another length": Track(900_001, tag: tag)
            default: Track(900_000, tag: tag, factor: 11)
            }

        #expect(await fetch(track, 1, in: store) == nil)

        let copy = try #require(store.copy(of: uri(1)))
        #expect(try copy.content.read(at: 0, count: 1000) == Array(track.bytes.prefix(1000)))
        #expect(copy.content.stamp.size == Int64(track.bytes.count))
    }

    @Test func `a copy that is not whole never counts`() async throws {
        let store = try store()
        try wish(1...3, in: store)
        #expect(await fetch(Track(600_000, breaksAt: 300_000), 1, in: store)?.code == .unavailable)
        #expect(await fetch(Track(100_000, says: 100_001), 2, in: store)?.code == .unavailable)
        #expect(await fetch(Track(600_000), 3, in: store, most: 599_999)?.code == .tooLarge)
        for number in 1...3 { #expect(!store.has(uri(number)) && store.copy(of: uri(number)) == nil) }
    }

    @Test func `a copy that was changed on the disk is not played, and fetched anew`() async throws {
        let first = try store()
        try wish(1...2, in: first)
        for number in 1...2 { #expect(await fetch(Track(600_000), number, in: first) == nil) }
        for file in try files {
            let handle = try #require(FileHandle(forUpdatingAtPath: folder + "/" + file))
            try handle.seek(toOffset: 1000)
            try handle.write(contentsOf: Data("changed".utf8))
            try handle.close()
        }

        #expect(first.copy(of: uri(1)) == nil && !first.has(uri(1)))
        first.close()
        let next = try store()
        #expect(try next.contents().tracks.allSatisfy { $0.bytes == nil })
        #expect(try files.isEmpty)
        #expect(await fetch(Track(600_000), 1, in: next) == nil)
        #expect(next.copy(of: uri(1)) != nil)
    }

    @Test func `a copy that was only touched or moved is read, and counts`() async throws {
        let first = try store()
        try wish(1...1, in: first)
        #expect(await fetch(Track(600_000), 1, in: first) == nil)
        let name = folder + "/" + (try #require(try files.first))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: name))
        try FileManager.default.removeItem(atPath: name)
        try bytes.write(to: URL(fileURLWithPath: name))

        #expect(first.copy(of: uri(1)) != nil)
        first.close()
        #expect(try store().contents().tracks.first?.bytes == 600_000)
    }

    @Test func `what is dropped is removed from the disk, also when the program had ended before`() async throws {
        let first = try store()
        try wish(1...3, in: first)
        for number in 1...3 { #expect(await fetch(Track(1000), number, in: first) == nil) }
        try wish(2...3, in: first, dropping: [uri(1)])
        #expect(try files.count == 2 && !first.has(uri(1)))
        try Data("left".utf8).write(to: URL(fileURLWithPath: folder + "/0123.mp3"))
        first.close()

        let next = try store()
        _ = try next.contents()
        #expect(try files.count == 2)
        try next.remove(.item(ItemURI("far:album/1")), dropping: [uri(2), uri(3)])
        #expect(try files.isEmpty)
        #expect(try next.contents().wishes.isEmpty)
    }

    @Test func `a track that is dropped while it is fetched leaves nothing behind`() async throws {
        let store = try store()
        try wish(1...1, in: store)
        let track = NamedBytes("Song.flac", Track(300_000))
        let uri = uri(1)
        await #expect(throws: SourceFault.self) {
            try await store.fetch(track, of: uri, most: 1 << 20) { progress in
                if progress.done > 0 { try? store.remove(.item(ItemURI("far:album/1")), dropping: [uri]) }
                return true
            }
        }
        #expect(try files.isEmpty && !store.has(uri))
    }
}
