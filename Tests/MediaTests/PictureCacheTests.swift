import BatonCore
import BatonSeams
import Foundation
import Synchronization
import Testing

@testable import Media

/// Pictures made to measure are made once, and kept while there is room.
@Suite struct PictureCacheTests {
    /// Makes nothing, counts what it is asked.
    private final class Painter: MediaReading {
        let asked = Mutex(0)
        let size: Int
        /// Asked again and again before a picture is made, until it holds.
        let mayBegin = Mutex<@Sendable () -> Bool>({ true })

        init(size: Int = 1_000) { self.size = size }

        func read(_ paths: [String]) -> [Result<MediaFacts, SourceFault>] { [] }

        func picture(_ source: PictureSource) throws(SourceFault) -> Picture {
            Picture(id: "own", format: .webp, width: 1, height: 1, bytes: [1])
        }

        func scaled(
            _ source: PictureSource, width: Int?, height: Int?, format: Picture.Format, mostBytes: Int?
        ) throws(SourceFault) -> Picture {
            asked.withLock { $0 += 1 }
            while !mayBegin.withLock({ $0() }) { usleep(1_000) }
            if source == .file("/bad") { throw SourceFault(.unreadable, "Bad.") }
            let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, UInt8(height ?? 1), 0, UInt8(width ?? 1), 3]
            return Picture(
                id: "x", format: .jpeg, width: width ?? 1, height: height ?? 1,
                bytes: head + [UInt8](repeating: 7, count: size - head.count))
        }

        func colours(of source: PictureSource) throws(SourceFault) -> [Int] { [] }
    }

    @Test func `a picture is made once, and found again after a restart`() async throws {
        try await MediaFolder.with { folder in
            let painter = Painter()
            let first = try PictureCache(folder: folder.path("art"), reader: painter).picture(
                "00ff", width: 10, height: 20, from: .file("/a"))
            let cache = PictureCache(folder: folder.path("art"), reader: painter)
            let second = try cache.picture("00ff", width: 10, height: 20, from: .file("/a"))
            let other = try cache.picture("00ff", width: 10, height: 20, mostBytes: 5_000, from: .file("/a"))

            #expect(first == second)
            #expect((second.id, second.width, second.height, second.format) == ("00ff", 10, 20, .jpeg))
            #expect(other.bytes == first.bytes)
            #expect(painter.asked.withLock { $0 } == 2)
        }
    }

    /// Pictures of sources have such names.
    @Test(arguments: ["radio:12", "attic:al-1", "attic:uuid_Ab-_9%2F%2E"]) func `a picture of a source is made and kept`(id: String)
        async throws
    {
        try await MediaFolder.with { folder in
            let painter = Painter()
            let cache = PictureCache(folder: folder.path("art"), reader: painter)
            let first = try cache.picture(id, width: 10, height: 20, from: .bytes([1]))
            let second = try cache.picture(id, width: 10, height: 20, from: .bytes([1]))
            #expect(first.id == id && second == first)
            #expect(painter.asked.withLock { $0 } == 1)
            for name in ["../\(id)", "radio:..", "a b", ".", "\(id)/x"] {
                #expect(throws: SourceFault.self) { try cache.picture(name, width: 10, height: 20, from: .bytes([1])) }
            }
        }
    }

    @Test func `two who ask for the same at once wait for one`() async throws {
        try await MediaFolder.with { folder in
            let painter = Painter()
            let cache = PictureCache(folder: "/nowhere/at/all", reader: painter)
            painter.mayBegin.withLock { $0 = { cache.askers(of: "a-10x20.jpeg") == 2 } }
            try await withThrowingTaskGroup(of: Picture.self) { group in
                for _ in 0..<2 {
                    group.addTask { try cache.picture("a", width: 10, height: 20, from: .file("/a")) }
                }
                for try await picture in group { #expect(picture.width == 10) }
            }
            #expect(painter.asked.withLock { $0 } == 1)
        }
    }

    @Test func `what was used longest ago goes when there is too much`() async throws {
        try await MediaFolder.with { folder in
            let painter = Painter()
            let cache = PictureCache(folder: folder.path("art"), mostBytes: 10_000, reader: painter)
            for number in 1...10 { _ = try cache.picture("a", width: number, from: .file("/a")) }
            _ = try cache.picture("a", width: 1, from: .file("/a"))
            _ = try cache.picture("a", width: 11, from: .file("/a"))

            let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path("art"))

            #expect(kept.count == 9)
            #expect(kept.contains("a-1x0.jpeg") && kept.contains("a-11x0.jpeg") && !kept.contains("a-2x0.jpeg"))
        }
    }

    @Test func `a kept file that is broken is made anew, and leftovers go`() async throws {
        try await MediaFolder.with { folder in
            let painter = Painter()
            let art = folder.path("art")
            _ = try PictureCache(folder: art, reader: painter).picture("a", width: 1, from: .file("/a"))
            try folder.file("art/a-1x0.jpeg", [])
            try folder.file("art/new-1-1", [1])

            let again = try PictureCache(folder: art, reader: painter).picture("a", width: 1, from: .file("/a"))

            #expect(again.bytes.count == 1_000)
            #expect(painter.asked.withLock { $0 } == 2)
            #expect(try FileManager.default.contentsOfDirectory(atPath: art) == ["a-1x0.jpeg"])
        }
    }

    @Test func `nothing is kept where nothing can be, and failures are not kept`() throws {
        let painter = Painter()
        let cache = PictureCache(folder: "/proc/art", reader: painter)

        for _ in 0..<2 { #expect(try cache.picture("a", width: 1, from: .file("/a")).width == 1) }
        for _ in 0..<2 { #expect(throws: SourceFault(.unreadable, "Bad.")) { try cache.picture("a", width: 1, from: .file("/bad")) } }
        #expect(painter.asked.withLock { $0 } == 4)
        #expect(try cache.picture("a", from: .file("/a")).format == .webp)
    }

    @Test(arguments: ["", "../a", "a/b", "a.b", String(repeating: "a", count: 65)]) func `a name that is no name is refused`(
        id: String
    ) {
        let cache = PictureCache(folder: "/proc/art", reader: Painter())
        let fault = #expect(throws: SourceFault.self) { try cache.picture(id, width: 1, from: .file("/a")) }
        #expect(fault?.code == .notFound)
    }
}
