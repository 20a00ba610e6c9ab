import Glibc

/// Peaks between samples, block by block.
///
/// A filter like that of ITU-R BS.1770, annex 2, computes three points between two samples. It is skipped if the samples are so far below
/// the limit that none of these points can reach it.
struct TruePeak {
    static let block = 64
    private static let phases = 4
    /// Number of samples on each side that the filter uses.
    private static let reach = 6
    /// Factor by which a point between samples can exceed them, with a filter of this length.
    private static let headroom: Float = 2

    private let taps: [Float]

    init() {
        var taps: [Float] = []
        for phase in 1..<Self.phases {
            let place = Double(phase) / Double(Self.phases)
            for tap in (1 - Self.reach)...Self.reach {
                let x = Double(tap) - place
                let window = 0.5 + 0.5 * cos(Double.pi * x / (Double(Self.reach) + 0.5))
                let sinc = x == 0 ? 1 : sin(Double.pi * x) / (Double.pi * x)
                taps.append(Float(sinc * window))
            }
        }
        self.taps = taps
    }

    /// The peak of each block. Blocks with a sample above `careful` are filtered.
    func peaks(_ sound: Sound, careful: Float) -> [Float] {
        stride(from: 0, to: sound.frames, by: Self.block).map { first in
            let last = min(sound.frames, first + Self.block)
            var peak: Float = 0
            for sample in first * 2..<last * 2 { peak = max(peak, abs(unsafe sound.samples[sample])) }
            guard peak * Self.headroom > careful else { return peak }
            for frame in max(Self.reach, first)..<min(sound.frames - Self.reach, last) {
                let near = max(abs(unsafe sound.samples[frame * 2]), abs(unsafe sound.samples[frame * 2 + 1]))
                guard near * Self.headroom > careful else { continue }
                peak = max(peak, between(sound, frame * 2), between(sound, frame * 2 + 1))
            }
            return peak
        }
    }

    /// The greatest of the points between this sample and the next of its channel.
    private func between(_ sound: Sound, _ sample: Int) -> Float {
        var greatest: Float = 0
        var at = 0
        for _ in 1..<Self.phases {
            var sum: Float = 0
            for tap in (1 - Self.reach)...Self.reach {
                sum += taps[at] * (unsafe sound.samples[sample + tap * 2])
                at += 1
            }
            greatest = max(greatest, abs(sum))
        }
        return greatest
    }
}
