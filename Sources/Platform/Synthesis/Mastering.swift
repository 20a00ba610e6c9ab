import Glibc

/// Adjusts the loudness of a piece and limits its peaks.
///
/// The gain applies to the whole piece. If a peak would exceed the limit, a limiter lowers the gain shortly before and raises it slowly
/// afterwards; the next round compensates for the lost loudness.
package struct Mastering {
    /// Target loudness in LUFS.
    package static let loudness = -16.0
    /// Peak limit: -1 dB, minus a margin for differences between meters.
    static let ceiling: Float = 0.85
    private static let tolerance = 0.25
    private static let rounds = 6
    /// The gain changes by at most this factor from one block to the next (1.5 ms).
    private static let fall: Float = 1.12
    private static let rise: Float = 1.008

    package private(set) var measured = -Double.infinity
    /// Gains at the beginning of each block, and at the end of the last.
    private var gains: [Float] = []
    private let sound: Sound
    var rate: Int { sound.rate }

    /// `isLoop` means that the end of the sound continues at its beginning.
    package init(_ sound: Sound, isLoop: Bool = false) throws(SynthesisFault) {
        self.sound = sound
        var gain = try gainForSilentlyMeasured()
        let peaks = TruePeak().peaks(sound, careful: Self.ceiling / gain / 2)
        for _ in 0..<Self.rounds {
            gains = Self.envelope(peaks, gain, isLoop: isLoop)
            measured = try loudness()
            let missing = Self.loudness - measured
            if abs(missing) < Self.tolerance { break }
            gain *= Float(pow(10, missing / 20))
        }
    }

    /// The gain that would be right without a limiter.
    private func gainForSilentlyMeasured() throws(SynthesisFault) -> Float {
        let meter = try LoudnessMeter(rate: sound.rate)
        unsafe meter.add(UnsafeBufferPointer(sound.samples))
        guard meter.loudness.isFinite else { throw SynthesisFault("The sound font has no sound for these instruments.") }
        return Float(pow(10, (Self.loudness - meter.loudness) / 20))
    }

    /// Gains to interpolate between; no part of a block exceeds what its peak allows.
    private static func envelope(_ peaks: [Float], _ gain: Float, isLoop: Bool) -> [Float] {
        var gains = [Float](repeating: gain, count: peaks.count + 1)
        for (block, peak) in peaks.enumerated() where peak * gain > ceiling {
            gains[block] = min(gains[block], ceiling / peak)
            gains[block + 1] = min(gains[block + 1], ceiling / peak)
        }
        smooth(&gains)
        guard isLoop, let first = gains.first, let last = gains.last else { return gains }
        // The second round spreads the values at the seam to both sides.
        gains[0] = min(first, last)
        gains[gains.count - 1] = min(first, last)
        smooth(&gains)
        return gains
    }

    private static func smooth(_ gains: inout [Float]) {
        for at in gains.indices.dropFirst() { gains[at] = min(gains[at], gains[at - 1] * rise) }
        for at in gains.indices.dropLast().reversed() { gains[at] = min(gains[at], gains[at + 1] * fall) }
    }

    private func loudness() throws(SynthesisFault) -> Double {
        let meter = try LoudnessMeter(rate: sound.rate)
        unsafe eachBlock { samples in unsafe meter.add(samples) }
        return meter.loudness
    }

    /// Calls `use` with the finished sound, some seconds at a time.
    func eachBlock(_ use: (UnsafeBufferPointer<Float>) -> Void) {
        let piece = TruePeak.block * 512
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: piece * 2)
        defer { unsafe buffer.deallocate() }
        for first in stride(from: 0, to: sound.frames, by: piece) {
            let count = min(piece, sound.frames - first)
            unsafe fill(buffer, from: first, frames: count)
            unsafe use(UnsafeBufferPointer(rebasing: buffer[..<(count * 2)]))
        }
    }

    private func fill(_ buffer: UnsafeMutableBufferPointer<Float>, from first: Int, frames: Int) {
        for start in stride(from: 0, to: frames, by: TruePeak.block) {
            let block = (first + start) / TruePeak.block
            var gain = gains[block]
            let step = (gains[block + 1] - gain) / Float(TruePeak.block)
            for frame in start..<min(frames, start + TruePeak.block) {
                unsafe buffer[frame * 2] = (unsafe sound.samples[(first + frame) * 2]) * gain
                unsafe buffer[frame * 2 + 1] = (unsafe sound.samples[(first + frame) * 2 + 1]) * gain
                gain += step
            }
        }
    }
}
