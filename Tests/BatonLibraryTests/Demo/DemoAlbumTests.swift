/// The album that the hub makes itself, looked at with ffprobe.
import BatonCore
import BatonSeams
import Disk
import Foundation
import Harness
import Testing

@testable import BatonLibrary

struct DemoAlbumTests {
    @Test func `the album is made once, whole, and can be played`() async throws {
        try await withFolder { folder in
            let album = DemoAlbum(in: folder + "/demo", item: LocalLibrary.item, beats: 8)

            let files = LocalLibrary(folders: [folder], disk: Disk())
            let offers = try await album.offers()
            let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/demo").sorted()
            let made = try names.map {
                try FileManager.default.attributesOfItem(atPath: folder + "/demo/" + $0)[.modificationDate] as? Date
            }

            #expect(names == ["01 - First Light.wav", "02 - Stairs.wav", "03 - Lamps On.wav"])
            #expect(offers.map(\.tags.title) == ["First Light", "Stairs", "Lamps On"])
            #expect(try await files.expand(ItemURI(folder + "/demo"), trust: .musicFolders).map(\.uri) == offers.map(\.uri))
            for offer in offers { _ = try await files.resolve(offer.uri, trust: .itemsOnly) }

            _ = try await album.offers()
            let again = try names.map {
                try FileManager.default.attributesOfItem(atPath: folder + "/demo/" + $0)[.modificationDate] as? Date
            }
            #expect(again == made)
        }
    }

    @Test func `a missing track is made again`() async throws {
        try await withFolder { folder in
            let album = DemoAlbum(in: folder + "/demo", item: LocalLibrary.item, beats: 8)
            _ = try await album.offers()
            let second = try Data(contentsOf: URL(fileURLWithPath: album.path(of: 1)))
            try FileManager.default.removeItem(atPath: album.path(of: 1))

            _ = try await album.offers()

            #expect(try Data(contentsOf: URL(fileURLWithPath: album.path(of: 1))) == second)
        }
    }

    @Test func `other programs read its tags and its length`() async throws {
        try await withFolder { folder in
            let album = DemoAlbum(in: folder + "/demo", item: LocalLibrary.item, beats: 8)
            let offers = try await album.offers()

            for (index, offer) in offers.enumerated() {
                let found = try probe(album.path(of: index))

                #expect(found["TAG:title"] == offer.tags.title)
                #expect(found["TAG:artist"] == "Baton")
                #expect(found["TAG:album"] == DemoAlbum.title)
                #expect(found["TAG:track"] == String(index + 1))
                #expect(found["TAG:date"] == "2026")
                #expect(found["codec_name"] == "pcm_s16le")
                #expect(found["sample_rate"] == "44100" && found["channels"] == "2")
                let seconds = try #require(found["duration"].flatMap { Double($0) })
                #expect(abs(seconds * 1000 - Double(offer.tags.durationMs ?? 0)) < 2)
            }
        }
    }

    @Test func `the wave goes on across each joint, and is never clipped`() async throws {
        try await withFolder { folder in
            let album = DemoAlbum(in: folder + "/demo", item: LocalLibrary.item, beats: 8)
            _ = try await album.offers()
            let tracks = try (0..<3).map { try samples(album.path(of: $0)) }

            for track in tracks { #expect(track.allSatisfy { abs(Int($0)) < 24_000 }) }
            for (before, after) in zip(tracks, tracks.dropFirst()) {
                let end = before.suffix(2_000).map(Int.init)
                let start = after.prefix(2_000).map(Int.init)
                // It sounds on both sides, and the step across the joint is one among those around it.
                #expect(end.map(abs).max()! > 500 && start.map(abs).max()! > 500)
                let steps = (end + start).indices.dropFirst(2).map { abs((end + start)[$0] - (end + start)[$0 - 2]) }
                let across = abs(start[0] - end[end.count - 2])
                #expect(across <= steps.sorted()[steps.count * 95 / 100] * 2)
            }
            #expect(tracks[2].suffix(20).allSatisfy { abs(Int($0)) < 100 }, "The last one ends in silence.")
        }
    }

    @Test func `a folder that cannot be made is told in a sentence`() async throws {
        let fault = await #expect(throws: SourceFault.self) { try await DemoAlbum(in: "/proc/none/demo", item: LocalLibrary.item).offers() }
        #expect(fault?.sentence.contains("/proc/none/demo") == true)
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "baton-demo-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func samples(_ path: String) throws -> [Int16] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let data = try #require(bytes.firstRange(of: Array("data".utf8)))
        return stride(from: data.upperBound + 4, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }

    private func probe(_ path: String) throws -> [String: String] {
        let told = try Outcome.of(["ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "default=noprint_wrappers=1", path])
        #expect(told.code == 0, "\(told.err)")
        let pairs = told.out.split(separator: "\n").map { line in
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
}
