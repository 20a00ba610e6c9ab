/// A book of several files: one time line, and not a sample between two parts.
import BatonCore
import BatonSeams
import Disk
import Foundation
import Testing

@testable import Player

extension Playable {
    /// The files as parts of a second each, called "Part 1" and so on.
    static func parts(_ files: [URL]) throws -> Playable {
        Playable(
            .parts(
                try files.enumerated().map { number, file in
                    Part(
                        NamedFile(file.path, try Disk().open(file.path, below: ["/"])), title: "Part \(number + 1): ;,%=",
                        lengthUs: 1_000_000)
                }))
    }
}

extension PlayingTests {
    @Suite struct Parts {
        /// One sine, cut into so many files of a second, and its samples.
        private static func cut(_ studio: Studio, into count: Int, _ kind: String = "flac") throws -> (parts: [URL], whole: URL) {
            let whole = try studio.sine("whole.flac", seconds: Double(count))
            try studio.run(["sox", whole.path, "-t", "raw", studio.file("whole.raw").path])
            let parts = try (0..<count).map { number in
                let part = studio.file("\(number).\(kind)")
                try studio.run(["sox", whole.path, part.path, "trim", "\(number * 44_100)s", "44100s"])
                return part
            }
            return (parts, studio.file("whole.raw"))
        }

        @Test func `parts play as one, to the sample`() async throws {
            let studio = try Studio()
            let (parts, whole) = try Self.cut(studio, into: 5)
            let out = studio.file("out.raw")

            try await withPlayer(.pcm(out.path)) { room in
                room.player.load(try .parts(parts), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }
                #expect(room.story == ["began q1", "ended q1"])
            }
            #expect(try Data(contentsOf: out) == (try Data(contentsOf: whole)))
        }

        /// Each encoder adds silence of its own, which a decoder removes again; at a wrong start a part would lose 25 ms.
        @Test(arguments: ["mp3", "m4a"]) func `encoded parts lose nothing`(kind: String) async throws {
            let studio = try Studio()
            let (parts, whole) = try Self.cut(studio, into: 3)
            let encoded = try parts.map { part in
                let file = part.deletingPathExtension().appendingPathExtension(kind)
                try studio.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-i", part.path, file.path])
                return file
            }
            let out = studio.file("out.raw")

            try await withPlayer(.pcm(out.path)) { room in
                room.player.load(try .parts(encoded), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }
            }
            #expect(try Data(contentsOf: out).count == (try Data(contentsOf: whole)).count)
        }

        @Test func `length and chapters are those of the whole`() async throws {
            let studio = try Studio()
            let (parts, _) = try Self.cut(studio, into: 3)

            try await withPlayer { room in
                room.player.load(try .parts(parts), as: q1, fromMs: 0, paused: true)
                let marks = (1...3).map { ChapterList.Mark(title: "Part \($0): ;,%=", startMs: Milliseconds.seconds($0 - 1)) }
                try await room.wait { $0.contains(.chapters(q1, marks)) }
                let lengths = room.reports.compactMap { report -> Milliseconds? in
                    if case .described(q1, let tags, _) = report { tags.durationMs } else { nil }
                }
                #expect(lengths.last == 3000)
            }
        }

        @Test(arguments: [true, false]) func `a place behind the first part is reached, from the start and later`(
            later: Bool
        ) async throws {
            let studio = try Studio()
            let (parts, whole) = try Self.cut(studio, into: 5)
            let out = studio.file("out.raw")

            try await withPlayer(.pcm(out.path)) { room in
                room.player.load(try .parts(parts), as: q1, fromMs: later ? 0 : 3500, paused: later)
                try await room.wait { $0.contains(.began(q1)) }
                if later {
                    room.player.seek(toMs: 3500)
                    room.player.setPaused(false)
                }
                try await room.wait { $0.contains(.ended(q1)) }
            }
            let tail = try Data(contentsOf: whole).suffix(66_150 * 4)
            #expect(try Data(contentsOf: out).suffix(66_150 * 4) == tail)
        }

        @Test func `a part that is no sound fails the book`() async throws {
            let studio = try Studio()
            var (parts, _) = try Self.cut(studio, into: 2)
            let list = studio.file("list.m3u")
            try Data("#EXTM3U\nhttp://127.0.0.1/x.mp3\n".utf8).write(to: list)
            parts.append(list)

            try await withPlayer { room in
                room.player.load(try .parts(parts), as: q1, fromMs: 0, paused: false)
                try await room.wait { reports in reports.contains { if case .failed(q1, _) = $0 { true } else { false } } }
            }
        }
    }
}
