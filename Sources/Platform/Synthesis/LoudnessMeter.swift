import CEBUR128

/// Integrated loudness according to EBU R 128, by libebur128.
///
/// It runs on the calling thread; the state is allocated in `init` and freed in `deinit`.
@safe final class LoudnessMeter {
    private var state: UnsafeMutablePointer<ebur128_state>?

    init(rate: Int) throws(SynthesisFault) {
        unsafe state = ebur128_init(2, UInt(rate), Int32(EBUR128_MODE_I.rawValue))
        if unsafe state == nil { throw SynthesisFault("libebur128 did not start: no memory.") }
    }

    deinit { unsafe ebur128_destroy(&state) }

    func add(_ samples: UnsafeBufferPointer<Float>) {
        guard let first = samples.baseAddress, let state = unsafe state else { return }
        _ = unsafe ebur128_add_frames_float(state, first, samples.count / 2)
    }

    /// Loudness in LUFS; minus infinity for silence.
    var loudness: Double {
        var loudness = -Double.infinity
        if let state = unsafe state { _ = unsafe ebur128_loudness_global(state, &loudness) }
        return loudness
    }
}
