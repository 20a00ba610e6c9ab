/// Quiet speech is raised and loud peaks are limited, as it is heard. BT-BOK-006
import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Player

extension PlayingTests {
    @Suite struct VoiceRaising {
        private static let rate = 44_100

        /// Bursts of noise with pauses, as syllables are: ten seconds loud, ten seconds 24 dB quieter.
        private static func speech(_ studio: Studio) throws -> URL {
            let loud = studio.file("loud.wav")
            let syllables = ["synth", "10", "brownnoise", "tremolo", "4", "90", "gain", "-n", "-3"]
            try studio.run(["sox", "-R", "-D", "-n", "-r", "\(rate)", "-b", "16", "-c", "2", loud.path] + syllables)
            try studio.run(["sox", "-D", loud.path, studio.file("quiet.wav").path, "gain", "-24"])
            let all = studio.file("speech.flac")
            try studio.run(["sox", loud.path, studio.file("quiet.wav").path, all.path])
            return all
        }

        /// Of the left channel, as parts of the largest.
        private static func samples(_ file: URL) throws -> [Double] {
            let data = try Data(contentsOf: file)
            return (0..<data.count / 4).map { frame in
                let (low, high) = (Int(data[frame * 4]), Int(data[frame * 4 + 1]))
                return Double(Int16(truncatingIfNeeded: low | high << 8)) / 32768
            }
        }

        private static func decibels(_ samples: ArraySlice<Double>) -> Double {
            let power = samples.reduce(0) { $0 + $1 * $1 } / Double(max(1, samples.count))
            return 10 * log10(max(power, 1e-12))
        }

        @Test func `the quiet part is nearly as loud as the loud one, nothing is cut off, and music behind it is as it was`() async throws {
            let studio = try Studio()
            let speech = try Self.speech(studio)
            let music = try studio.sine("music.flac", seconds: 2)
            let out = studio.file("out.raw")
            try await withPlayer(.pcm(out.path)) { room in
                room.player.setFilters(SoundFilters(raisesVoice: true))
                room.player.load(.file(speech), as: q1, fromMs: 0, paused: true)
                room.player.follow(with: .file(music), as: q2)
                room.player.setPaused(false)
                try await room.wait { $0.contains(.ended(q2)) }
            }
            let heard = try Self.samples(out)
            try studio.run(["sox", music.path, "-t", "raw", studio.file("music.raw").path])
            let whole = try Self.samples(studio.file("music.raw"))
            #expect(Array(heard.suffix(whole.count)) == whole)

            let spoken = heard.dropLast(whole.count)
            #expect(spoken.count == 20 * Self.rate)
            // Away from the change, which takes a second.
            let loud = Self.decibels(spoken[2 * Self.rate..<8 * Self.rate])
            let quiet = Self.decibels(spoken[12 * Self.rate..<18 * Self.rate])
            #expect(loud - quiet < 6, "\(loud) dB and \(quiet) dB, which were 24 dB apart")
            let peak = spoken.map { abs($0) }.max() ?? 1
            #expect(peak < 0.9)
        }

        @Test func `it can be turned on and off while it plays`() async throws {
            let studio = try Studio()
            let quiet = studio.file("quiet.wav")
            _ = try Self.speech(studio)
            try await withPlayer { room in
                room.player.load(.file(quiet), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.began(q1)) }
                room.player.setFilters(SoundFilters(raisesVoice: true))
                room.player.setFilters(SoundFilters())
                let before = room.lines.count
                room.player.seek(toMs: 8000)
                try await room.wait { _ in room.lines.count > before && (room.lines.last?.positionMs ?? 0) >= 8000 }
                #expect(room.failure == nil)
            }
        }
    }
}
