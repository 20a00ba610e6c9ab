import Foundation
import Testing

@testable import Synthesis

/// Loudness and peaks of what the composer leaves behind.
@Suite struct MasteringTests {
    /// Tones with a loud click every half second, so that the limiter has work.
    private func sound(level: Float, clicks: Float) -> Sound {
        let sound = Sound(frames: Sound.rate * 4)
        for frame in 0..<sound.frames {
            let time = Float(frame) / Float(Sound.rate)
            let click = frame % (Sound.rate / 2) < 60 ? clicks * Float(sin(Double(frame) * 2.1)) : 0
            sound[frame * 2] = level * sin(time * 2764) + click
            sound[frame * 2 + 1] = level * sin(time * 1382) - click
        }
        return sound
    }

    @Test(arguments: [Float(0.001), 0.05, 0.5, 3]) func `any level comes to -16 LUFS`(level: Float) throws {
        #expect(abs(try Mastering(sound(level: level, clicks: 0)).measured + 16) < 0.5)
    }

    @Test func `the gain of a loop is the same on both sides of its seam`() throws {
        let sound = Sound(frames: Sound.rate * 4)
        for frame in 0..<sound.frames {
            let level: Float = frame > sound.frames - 200 ? 3 : 0.1
            sound[frame * 2] = frame % 50 < 25 ? level : -level
            sound[frame * 2 + 1] = sound[frame * 2]
        }

        var gains: [Float] = []
        var at = 0
        try Mastering(sound, isLoop: true).eachBlock { samples in
            for sample in unsafe samples {
                gains.append(sample / sound[at])
                at += 1
            }
        }

        #expect(abs(gains[0] / gains[gains.count - 1] - 1) < 0.02)
    }

    @Test func `clicks far above the rest are held below the limit, also between samples`() throws {
        let master = try Mastering(sound(level: 0.05, clicks: 0.4))

        let finished = Sound(frames: Sound.rate * 4)
        var at = 0
        master.eachBlock { samples in
            for sample in unsafe samples {
                finished[at] = sample
                at += 1
            }
        }
        let peak = TruePeak().peaks(finished, careful: 0).max() ?? 0

        #expect(at == finished.frames * 2)
        #expect(peak < 0.89 && peak > 0.6, "\(peak)")
        #expect(abs(master.measured + 16) < 1)
    }

    @Test func `a swing between two samples is seen`() {
        let sound = Sound(frames: 1024)
        // A quarter of the rate, 45 degrees off: all samples are 0.707, the peak between them is 1.
        for frame in 0..<1024 { for channel in 0..<2 { sound[frame * 2 + channel] = Float(sin(Double(frame) * .pi / 2 + .pi / 4)) } }

        let peak = TruePeak().peaks(sound, careful: 0.5).dropFirst().dropLast().max() ?? 0

        #expect(abs(peak - 1) < 0.03, "\(peak)")
    }

    @Test func `silence is refused in a sentence`() {
        #expect(throws: SynthesisFault.self) { try Mastering(Sound(frames: Sound.rate)) }
    }
}
