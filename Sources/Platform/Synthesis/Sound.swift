/// Rendered music: pairs of samples, left and right. Full scale is 1, and samples may exceed it.
///
/// A class, because three minutes take 60 MB, which should not be copied. Only one thread at a time uses it.
@safe package final class Sound {
    /// Rate of composed sound, in frames a second.
    package static let rate = 44_100

    package let frames: Int
    package let rate: Int
    let samples: UnsafeMutableBufferPointer<Float>

    package init(frames: Int, rate: Int = Sound.rate) {
        self.frames = frames
        self.rate = rate
        unsafe samples = .allocate(capacity: frames * 2)
        unsafe samples.initialize(repeating: 0)
    }

    deinit { unsafe samples.deallocate() }

    package subscript(sample: Int) -> Float {
        get { unsafe samples[sample] }
        set { unsafe samples[sample] = newValue }
    }

    package var durationMs: Int { (frames * 1000 + rate / 2) / rate }

    /// The first `count` frames, with all later ones added to them round after round.
    func folded(to count: Int) -> Sound {
        let folded = Sound(frames: count, rate: rate)
        for sample in 0..<frames * 2 { unsafe folded.samples[sample % (count * 2)] += samples[sample] }
        return folded
    }

    /// Fades from full loudness to silence at the very end.
    func fade(lastFrames count: Int) {
        let first = max(0, frames - count)
        for frame in first..<frames {
            let left = Float(frames - 1 - frame) / Float(max(1, frames - first))
            unsafe samples[frame * 2] *= left * left
            unsafe samples[frame * 2 + 1] *= left * left
        }
    }
}
