/// What is heard of a file without its silences, and where it is said to be. BT-BOK-007
import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Player

extension PlayingTests {
    @Suite struct Trimming {
        private static let rate = 44_100

        /// Two seconds of a tone, four of silence, two of a tone, one of silence, one of a tone.
        private static func book(_ studio: Studio, _ name: String) throws -> URL {
            let (tone, rest) = (studio.file("tone.wav"), studio.file("rest.wav"))
            let format = ["-r", "\(rate)", "-b", "16", "-c", "2"]
            try studio.run(["sox", "-R", "-n"] + format + [tone.path, "synth", "2", "sine", "441", "gain", "-6"])
            try studio.run(["sox", "-n"] + format + [rest.path, "trim", "0", "4"])
            try studio.run(["sox", tone.path, studio.file("short.wav").path, "trim", "0", "1"])
            try studio.run(["sox", rest.path, studio.file("pause.wav").path, "trim", "0", "1"])
            let parts = [tone, rest, tone, studio.file("pause.wav"), studio.file("short.wav")]
            let all = studio.file(name)
            try studio.run(["sox"] + parts.map(\.path) + [all.path])
            return all
        }

        private static let cuts = SilenceCuts(silences: [2000..<6000, 8000..<9000])
        private static let marks = [0, 6000].map { ChapterList.Mark(title: "\($0)", startMs: $0) }

        private static func trimmed(_ file: URL) -> Playable {
            var playable = Playable.file(file)
            playable.trim = Playable.Trim(cuts, durationMs: 10_000, chapters: marks, beginsUs: [0])
            return playable
        }

        /// Of the left channel.
        private static func samples(_ file: URL) throws -> [Int16] {
            let data = try Data(contentsOf: file)
            return (0..<data.count / 4).map { frame in
                let (low, high) = (Int(data[frame * 4]), Int(data[frame * 4 + 1]))
                return Int16(truncatingIfNeeded: low | high << 8)
            }
        }

        @Test(arguments: ["flac", "wav"])
        func `it is shorter by the silences, and every sample of speech is heard`(kind: String) async throws {
            let studio = try Studio()
            let book = try Self.book(studio, "book.\(kind)")
            let out = studio.file("out.raw")
            try await withPlayer(.pcm(out.path)) { room in
                room.player.load(Self.trimmed(book), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }
                #expect(room.failure == nil)
            }
            let heard = try Self.samples(out)
            let leftMs = 10_000 - Self.cuts.removedMs
            #expect(Self.cuts.removedMs == 4000)
            let left = Int(leftMs) * Self.rate / 1000
            #expect(abs(heard.count - left) <= Self.rate / 500, "\(heard.count) samples")
            let loud = heard.count { abs(Int($0)) > 1000 }
            try studio.run(["sox", book.path, "-t", "raw", studio.file("whole.raw").path])
            let whole = try Self.samples(studio.file("whole.raw")).count { abs(Int($0)) > 1000 }
            // A sample at the very edge of what counts as loud may be rounded to its other side.
            #expect(abs(loud - whole) <= 2, "no speech is cut off, and none comes twice: \(loud) of \(whole)")
        }

        @Test func `a seek leads to the place of the book, and playing on from there is said in its time`() async throws {
            let studio = try Studio()
            let book = try Self.book(studio, "book.flac")
            try await withPlayer { room in
                room.player.load(Self.trimmed(book), as: q1, fromMs: 7000, paused: true)
                try await room.wait { _ in room.lines.contains { (6990...7010).contains($0.positionMs) } }
                // Positions are those of the whole file, and so are its length and its chapters.
                try await room.wait {
                    $0.contains(.chapters(q1, Self.marks))
                        && $0.contains { if case .described(q1, let tags, _) = $0 { tags.durationMs == 10_000 } else { false } }
                }
                room.player.seek(toMs: 1000)
                try await room.wait { _ in room.lines.last.map { (990...1010).contains($0.positionMs) } == true }
                room.player.setPaused(false)
                // A second of tone and half a second of the pause, and the position is behind the silence.
                try await room.wait { _ in room.lines.contains { $0.positionMs >= 5700 && $0.rate > 0 } }
                room.player.setPaused(true)
            }
        }

        @Test func `it ends where the room wants it to, also where that lies in a silence`() async throws {
            let studio = try Studio()
            let book = try Self.book(studio, "book.flac")
            let out = studio.file("out.raw")
            try await withPlayer(.pcm(out.path)) { room in
                room.player.stopAt(PlayerStop(entry: q1, atMs: 4000))
                room.player.load(Self.trimmed(book), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }
                #expect(room.lines.last?.positionMs == 4000)
            }
            let heard = try Self.samples(out)
            #expect(abs(heard.count - 2250 * Self.rate / 1000) <= Self.rate / 500, "\(heard.count) samples")
        }

        @Test func `a book of twenty hours is thousands of segments, each as long as what is between two silences`() throws {
            let cuts = SilenceCuts(silences: (1..<14_400).map { Milliseconds($0 * 5000)..<Milliseconds($0 * 5000 + 1000) })
            let target = TrimmedTimeline.target([TrimmedTimeline.Source(address: "a", lengthUs: 72_000_000_000, beginUs: 0)], cuts)
            let segments = target.split(separator: ";").dropFirst()
            #expect(segments.count == 14_400 && segments.first == "%1%a,length=5.250010")
            #expect(segments.dropFirst().first == "%1%a,start=5.750000,length=4.500010")
            #expect(segments.last == "%1%a,start=71995.750000,length=4.250010")
        }

        @Test func `segments name what is left of several files`() {
            let files: [(address: String, lengthMs: Milliseconds)] = [("a", 3000), ("b", 3000), ("c", 2000)]
            let sources = files.map { TrimmedTimeline.Source(address: $0.address, lengthUs: Microseconds($0.lengthMs), beginUs: 25) }
            // The first silence goes over the end of a file; all of the last file is silent.
            let cuts = SilenceCuts(silences: [1750..<4250, 5000..<8500])
            #expect(
                TrimmedTimeline.target(sources, cuts)
                    == "edl://!no_chapters;%1%a,length=2.000010;%1%b,start=1.000025,length=1.250010")
        }
    }
}
