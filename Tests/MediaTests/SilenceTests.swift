import BatonSeams
import Disk
import Foundation
import Testing

@testable import Media

/// Silences that a reader finds. BT-BOK-007
@Suite struct SilenceTests {
    /// Three seconds and two seconds of sound, with three seconds of silence between them and one behind them.
    private static let sound = [
        "-f", "lavfi", "-i", "sine=f=300:r=48000:d=3", "-f", "lavfi", "-i", "anullsrc=r=48000:cl=mono:d=3", "-f", "lavfi", "-i",
        "sine=f=500:r=48000:d=2", "-f", "lavfi", "-i", "anullsrc=r=48000:cl=mono:d=1", "-filter_complex",
        "[0][1][2][3]concat=n=4:v=0:a=1",
    ]

    private static func file(_ path: String) throws -> NamedFile { NamedFile(path, try Disk().open([path], below: ["/"])[0].get()) }

    private static func pieces(of path: String, _ pool: ReaderPool) throws -> [SilencePiece] {
        let scan = try pool.silences(in: file(path))
        var pieces: [SilencePiece] = []
        while let piece = try scan.next() { pieces.append(piece) }
        return pieces
    }

    @Test(arguments: ["wav", "flac", "mp3", "m4a", "opus"]) func `are found in each kind of file`(kind: String) async throws {
        try await MediaFolder.with { folder in
            let path = try folder.ffmpeg(Self.sound, "book.\(kind)")
            let pieces = try Self.pieces(of: path, Readers.pool())
            let silences = pieces.flatMap(\.silences)
            try #require(silences.count == 2, "\(silences)")
            // Codecs smear an edge over a few hundredths of a second.
            #expect((silences[0].lowerBound - 3000).magnitude <= 80 && (silences[0].upperBound - 6000).magnitude <= 80, "\(silences)")
            #expect((silences[1].lowerBound - 8000).magnitude <= 80 && (silences[1].upperBound - 9000).magnitude <= 80, "\(silences)")
            #expect(((pieces.last?.untilMs ?? 0) - 9000).magnitude <= 80)
        }
    }

    @Test func `come in pieces of two minutes, and one that goes over the end of a piece comes in both`() async throws {
        try await MediaFolder.with { folder in
            let words = [
                "-f", "lavfi", "-i", "sine=f=300:r=8000:d=110", "-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono:d=20", "-f", "lavfi", "-i",
                "sine=f=300:r=8000:d=130", "-filter_complex", "[0][1][2]concat=n=3:v=0:a=1",
            ]
            let path = try folder.ffmpeg(words, "long.flac")
            let pool = Readers.pool()
            let pieces = try Self.pieces(of: path, pool)
            #expect(pieces.count == 3)
            let all = pieces.flatMap(\.silences)
            #expect(all.first?.lowerBound == 110_000 && all.last?.upperBound == 130_000, "\(all)")
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })

            let given = try pool.silences(in: Self.file(path))
            _ = try given.next()
            given.close()
            #expect(try given.next() == nil)
        }
    }

    @Test func `are not looked for in what the player does not join`() async throws {
        try await MediaFolder.with { folder in
            let path = try folder.ffmpeg(Self.sound, "book.mka")
            #expect(try Self.pieces(of: path, Readers.pool()).isEmpty)
        }
    }

    @Test func `are none in what is no sound, and the next file is looked through all the same`() async throws {
        try await MediaFolder.with { folder in
            let bad = try folder.file("bad.mp3", Array("This is no sound. ".utf8))
            let good = try folder.ffmpeg(Self.sound, "good.flac")
            let pool = Readers.pool()
            #expect(try Self.pieces(of: bad, pool).isEmpty)
            #expect(try Self.pieces(of: good, pool).flatMap(\.silences).count == 2)
        }
    }

    @Test(arguments: ["babbles", "dies"]) func `of a reader that breaks are a fault`(manner: String) async throws {
        try await MediaFolder.with { folder in
            let path = try folder.file("any.mp3", Array("fLaC, and nothing more".utf8))
            #expect(throws: SourceFault.self) { try Self.pieces(of: path, Readers.faulty(manner)) }
        }
    }
}
