/// The music of the demo album: soft plucked chords over a slow bass, as 16-bit stereo samples.
///
/// Each note is a sum of a few decaying partials. A partial is a point that spirals inward, computed with one complex
/// multiplication a sample; this avoids sine functions and takes well under a second for the whole piece.
import Glibc

struct DemoPiece {
    var rate: Int
    var beats: Int

    private static let beatsPerMinute = 108
    /// Level of the loudest sample after scaling, which avoids clipping.
    private static let peak: Float = 0.6

    static func framesPerBeat(_ rate: Int) -> Int { rate * 60 / beatsPerMinute }

    /// Bars of four beats: the bass note, and the chord of the plucked notes (MIDI numbers).
    private static let bars: [(bass: Int, chord: [Int])] = [
        (38, [62, 66, 69, 73]), (35, [62, 66, 71, 74]), (43, [62, 67, 71, 74]), (45, [64, 69, 73, 76]),
        (42, [61, 66, 69, 73]), (35, [59, 66, 69, 74]), (40, [62, 67, 71, 76]), (45, [61, 67, 69, 76]),
    ]
    /// Index of the chord's note for each half beat; -1 is a rest.
    private static let pattern = [0, 2, 1, 3, 2, 1, 3, -1]

    /// Stereo samples, with left and right interleaved.
    func samples() -> [Int16] {
        var mix = [Float](repeating: 0, count: beats * Self.framesPerBeat(rate) * 2)
        mix.withUnsafeMutableBufferPointer { mix in
            for bar in 0..<(beats + 3) / 4 { play(bar, into: mix) }
        }
        fade(&mix)
        let loudest = mix.reduce(Float(0.001)) { max($0, abs($1)) }
        let gain = Self.peak * 32_767 / loudest
        return mix.map { Int16($0 * gain) }
    }

    private func play(_ bar: Int, into mix: UnsafeMutableBufferPointer<Float>) {
        let (bass, chord) = Self.bars[bar % Self.bars.count]
        let half = Self.framesPerBeat(rate) / 2
        let start = bar * 8 * half
        pluck(bass, at: start, seconds: 2.4, loudness: 0.8, pan: 0, into: mix)
        for (step, note) in Self.pattern.enumerated() where note >= 0 {
            // The second half of every fourth bar is an octave higher.
            let octave = bar % 4 == 3 && step > 4 ? 12 : 0
            let pan = Float(note) * 0.4 - 0.6
            pluck(chord[note] + octave, at: start + step * half, seconds: 1.6, loudness: 0.5, pan: pan, into: mix)
        }
    }

    private func pluck(
        _ note: Int, at start: Int, seconds: Float, loudness: Float, pan: Float, into mix: UnsafeMutableBufferPointer<Float>
    ) {
        let frequency = 440 * exp2(Float(note - 69) / 12)
        let end = min(mix.count / 2, start + Int(seconds * Float(rate)))
        for (partial, share) in [Float(1), 0.35, 0.12].enumerated() {
            var tone = Partial(
                frequency: frequency * Float(partial + 1), fadesIn: seconds / Float(partial + 1) / 5, rate: Float(rate))
            let left = loudness * share * (1 - pan) / 2
            let right = loudness * share * (1 + pan) / 2
            var frame = start
            while frame < end {
                // Short fades at both ends avoid clicks.
                let edge = min(1, Float(frame - start) / 200, Float(end - frame) / 400)
                let value = tone.next() * edge
                mix[frame * 2] += value * left
                mix[frame * 2 + 1] += value * right
                frame += 1
            }
        }
    }

    /// Fades the end out; the beginning starts from silence.
    private func fade(_ mix: inout [Float]) {
        let length = min(mix.count / 2, rate)
        let frames = mix.count / 2
        for frame in frames - length..<frames {
            let gain = Float(frames - frame) / Float(length)
            mix[frame * 2] *= gain
            mix[frame * 2 + 1] *= gain
        }
    }

    private struct Partial {
        private var x: Float = 1
        private var y: Float = 0
        private let cosine: Float
        private let sine: Float

        init(frequency: Float, fadesIn seconds: Float, rate: Float) {
            let angle = 2 * Float.pi * frequency / rate
            let decay = exp(-1 / (seconds * rate))
            cosine = cos(angle) * decay
            sine = sin(angle) * decay
        }

        mutating func next() -> Float {
            (x, y) = (x * cosine - y * sine, x * sine + y * cosine)
            return y
        }
    }
}

/// A WAV file whose texts come before the sound, where every reader finds them.
struct WAV {
    var rate: Int
    /// 16-bit samples, with left and right interleaved.
    var samples: ArraySlice<Int16>
    var info: [(String, String)]

    var bytes: [UInt8] {
        var texts = Array("INFO".utf8)
        for (name, text) in info {
            var value = Array(text.utf8) + [0]
            let size = value.count
            if size % 2 == 1 { value.append(0) }
            texts += Array(name.utf8) + Self.little(size) + value
        }
        let format =
            Self.little(1, bytes: 2) + Self.little(2, bytes: 2) + Self.little(rate) + Self.little(rate * 4) + Self.little(4, bytes: 2)
            + Self.little(16, bytes: 2)
        var sound: [UInt8] = []
        sound.reserveCapacity(samples.count * 2)
        for sample in samples {
            sound.append(UInt8(truncatingIfNeeded: sample))
            sound.append(UInt8(truncatingIfNeeded: sample >> 8))
        }
        let body = Array("WAVE".utf8) + Self.chunk("fmt ", format) + Self.chunk("LIST", texts) + Self.chunk("data", sound)
        return Self.chunk("RIFF", body)
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + little(content.count) + content
    }

    private static func little(_ number: Int, bytes: Int = 4) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
