import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Player

extension PlayingTests {
    /// What a recording's own measures make of it, in the samples that leave the player.
    @Suite struct Loudness {
        /// A tone with half of full scale as its peak, and what its tags say of it.
        private func tone(_ studio: Studio, track: String, album: String, peak: String) throws -> URL {
            let plain = try studio.sine("plain.flac", seconds: 0.5)
            let tagged = studio.file("tagged.flac")
            try studio.run([
                "ffmpeg", "-loglevel", "error", "-y", "-i", plain.path, "-c", "copy", "-metadata", "REPLAYGAIN_TRACK_GAIN=\(track)",
                "-metadata", "REPLAYGAIN_ALBUM_GAIN=\(album)", "-metadata", "REPLAYGAIN_TRACK_PEAK=\(peak)",
                "-metadata", "REPLAYGAIN_ALBUM_PEAK=\(peak)", tagged.path,
            ])
            return tagged
        }

        /// How many decibels louder it is played than it is stored.
        private func heard(_ studio: Studio, _ file: URL, _ levelling: Levelling) async throws -> Double {
            let peaks = try await [peak(studio, file, Levelling()), peak(studio, file, levelling)]
            return 20 * log10(peaks[1] / peaks[0])
        }

        private func peak(_ studio: Studio, _ file: URL, _ levelling: Levelling) async throws -> Double {
            let out = studio.file("out-\(levelling.measure.rawValue).raw")
            try? FileManager.default.removeItem(at: out)
            try await withPlayer(.pcm(out.path)) { room in
                room.player.setLevelling(levelling)
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }
            }
            let samples = try Data(contentsOf: out).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
            return Double(samples.map { abs(Int($0)) }.max() ?? 0)
        }

        @Test(arguments: [
            (Levelling(by: .track), -6.0), (Levelling(by: .album), -12.0), (Levelling(by: .track, preampDb: -3), -9.0),
        ]) func `a measure is followed to a tenth of a decibel`(levelling: Levelling, decibels: Double) async throws {
            let studio = try Studio()
            let file = try tone(studio, track: "-6.00 dB", album: "-12.00 dB", peak: "0.5")

            #expect(abs(try await heard(studio, file, levelling) - decibels) < 0.1)
        }

        @Test func `nothing is made so loud that its peaks are cut`() async throws {
            let studio = try Studio()
            let plain = try studio.sine("plain.flac", seconds: 0.5)
            let stored = try await peak(studio, plain, Levelling()) / 32768
            let file = try tone(studio, track: "+40.00 dB", album: "+40.00 dB", peak: "\(stored)")

            let headroom = -20 * log10(stored)
            #expect(headroom > 1)
            #expect(abs(try await heard(studio, file, Levelling(by: .track)) - headroom) < 0.1)
        }

        @Test func `what has no measure is played as it is`() async throws {
            let studio = try Studio()
            let file = try studio.sine("plain.flac", seconds: 0.5)

            #expect(abs(try await heard(studio, file, Levelling(by: .album, preampDb: -6))) < 0.1)
        }
    }
}
