/// Copies of tracks in a folder: whole ones only, as many as fit, and the same ones after a restart.
import BatonCore
import BatonSeams
import Crypto
import Foundation
import Harness
import Testing

@testable import Stores

@Suite struct TrackCacheTests {
    /// So many bytes; `breaksAt` ends them with a fault.
    private struct Track: ByteSource {
        var bytes: [UInt8]
        var length: Int64?
        var breaksAt: Int?
        var hasRanges: Bool { true }
        var version: ContentVersion? { nil }

        init(_ count: Int, says length: Int? = nil, breaksAt: Int? = nil) {
            bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            self.length = Int64(length ?? count)
            self.breaksAt = breaksAt
        }

        func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
            if let breaksAt, Int(position) >= breaksAt { throw SourceFault(.unavailable, "It broke off.") }
            return Array(bytes.dropFirst(Int(position)).prefix(min(count, 50_000)))
        }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func cache(_ limit: Int64 = 1 << 20) throws -> TrackCache {
        try TrackCache(folder: folder.path + "/cache", limit: limit) { OpenSSL().sha256($0) }
    }

    private var files: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path + "/cache").sorted() } }

    private func uri(_ number: Int) -> ItemURI { ItemURI("far:track/../\(number)") }

    private func figures(_ cache: TrackCache) -> [Int64] { [Int64(cache.figures.copies), cache.figures.bytes] }

    @discardableResult
    private func keep(_ track: Track, _ number: Int, in cache: TrackCache) async -> SourceFault? {
        do throws(SourceFault) {
            try await cache.keep(NamedBytes("Song \(number).FLAC", track), of: uri(number)) { true }
            return nil
        } catch {
            return error
        }
    }

    @Test func `a whole copy is played instead, also after a restart`() async throws {
        let first = try cache()
        #expect(await keep(Track(200_000), 1, in: first) == nil)
        for cache in [first, try cache()] {
            let copy = try #require(cache.copy(of: uri(1)))
            #expect(cache.has(uri(1)) && !cache.has(uri(2)))
            #expect(copy.path.hasSuffix(".flac") && copy.content.stamp.size == 200_000)
            #expect(try copy.content.read(at: 199_990, count: 100) == Array(Track(200_000).bytes.suffix(10)))
            #expect(figures(cache) == [1, 200_000])
        }
        #expect(try files.count == 1 && !files[0].contains("/"))
    }

    @Test func `a copy that is not whole never counts and leaves nothing behind`() async throws {
        let cache = try cache()
        #expect(await keep(Track(200_000, breaksAt: 100_000), 1, in: cache)?.code == .unavailable)
        #expect(await keep(Track(100_000, says: 100_001), 2, in: cache)?.code == .unavailable)
        #expect(await keep(Track(0), 3, in: cache)?.code == .unavailable)
        let given = await fault { () async throws(SourceFault) in
            try await cache.keep(NamedBytes("x.mp3", Track(10)), of: uri(4)) { false }
        }
        #expect(given?.code == .cancelled)
        #expect(try files.isEmpty && figures(cache) == [0, 0])
    }

    @Test func `what a crash left is removed, and a copy that was cut is not played`() async throws {
        #expect(await keep(Track(1000), 1, in: try cache()) == nil)
        let name = try #require(try files.first)
        try Data("half".utf8).write(to: URL(fileURLWithPath: folder.path + "/cache/abc.part"))
        let next = try cache()
        #expect(try files == [name])
        try Data("cut".utf8).write(to: URL(fileURLWithPath: folder.path + "/cache/" + name))
        #expect(next.copy(of: uri(1)) == nil && !next.has(uri(1)))
    }

    @Test func `the oldest copies give way, and one that is open is played to its end`() async throws {
        let cache = try cache(500_000)
        #expect(await keep(Track(200_000), 1, in: cache) == nil)
        let open = try #require(cache.copy(of: uri(1)))
        try await later()
        #expect(await keep(Track(200_000), 2, in: cache) == nil)
        #expect(await keep(Track(200_000), 3, in: cache) == nil)
        #expect(!cache.has(uri(1)) && cache.has(uri(2)) && cache.has(uri(3)))
        #expect(try open.content.read(at: 0, count: 10) == Array(Track(10).bytes))
        #expect(figures(cache) == [2, 400_000])
        #expect(await keep(Track(500_001), 4, in: cache)?.code == .tooLarge)
        #expect(figures(cache) == [2, 400_000])
        #expect(figures(try self.cache(200_000)) == [1, 200_000])
    }

    @Test(arguments: [false, true])
    func `a copy that was heard again stays longer than one that was not`(isAfterRestart: Bool) async throws {
        let before = try cache(400_000)
        for number in 1...2 {
            #expect(await keep(Track(200_000), number, in: before) == nil)
            try await later()
        }
        #expect(before.copy(of: uri(1)) != nil)
        let cache = isAfterRestart ? try cache(400_000) : before
        #expect(await keep(Track(200_000), 3, in: cache) == nil)
        #expect(cache.has(uri(1)) && !cache.has(uri(2)) && cache.has(uri(3)))
    }

    /// The times of two copies differ.
    private func later() async throws {
        let ms = Clock.system.wallMs
        while Clock.system.wallMs < ms + 20 { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test func `a disk that takes nothing is said in words`() async throws {
        let cache = try cache()
        try FileManager.default.removeItem(atPath: folder.path + "/cache")
        #expect(await keep(Track(1000), 1, in: cache)?.code == .unavailable)
        #expect(figures(cache) == [0, 0])
    }

    private func fault(_ body: () async throws(SourceFault) -> Void) async -> SourceFault? {
        do throws(SourceFault) { try await body() } catch { return error }
        return nil
    }
}
