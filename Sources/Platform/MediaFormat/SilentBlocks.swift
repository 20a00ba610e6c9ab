/// Detects silences in sound, by blocks of a hundredth of a second.
///
/// A value. It takes the power of each sample, and stores no samples.
struct SilentBlocks {
    /// Position up to which sound was examined, in ms from the file's first sample.
    private(set) var atMs = 0
    private var found: [Range<UInt32>] = []
    private var silentFromMs: Int?
    private var rate = 0
    private var sum: Float = 0
    private var count = 0
    /// Samples in complete blocks since `baseMs`.
    private var passed = 0
    private var baseMs = 0

    /// Mean power below which a block is silent: 50 dB below full scale. Even soft speech is seldom below -40 dB, and the noise of a
    /// recording room for books is below -55 dB.
    private static let silentPower: Float = 1e-5
    private static let blocksPerSecond = 100
    /// Larger gaps and overlaps of time stamps are followed.
    private static let toleranceMs = 50
    /// Minimum length of a silence. Shorter ones are at most pauses between words.
    private static let leastMs = 100

    /// Starts sound with this time stamp; `nil` continues right after the sound before it.
    mutating func begin(rate: Int, atMs stamp: Int?) {
        let expectedMs = positionMs
        let startMs = stamp.map { abs($0 - expectedMs) > Self.toleranceMs ? max(0, $0) : expectedMs } ?? expectedMs
        guard rate != self.rate || startMs != expectedMs else { return }
        // A gap between time stamps is not known to be silent.
        if startMs != expectedMs, self.rate != 0 { endSilence(at: atMs) }
        (self.rate, baseMs, passed, sum, count) = (max(1, rate), startMs, 0, 0, 0)
        atMs = startMs
    }

    private var positionMs: Int { rate == 0 ? 0 : baseMs + (passed + count) * 1000 / rate }

    mutating func add(_ power: [Float]) {
        let size = max(1, rate / Self.blocksPerSecond)
        for one in power {
            sum += one
            count += 1
            if count == size { endBlock() }
        }
    }

    private mutating func endBlock() {
        let isSilent = sum / Float(count) < Self.silentPower
        if isSilent { silentFromMs = silentFromMs ?? atMs } else { endSilence(at: atMs) }
        passed += count
        (sum, count) = (0, 0)
        atMs = positionMs
    }

    private mutating func endSilence(at endMs: Int) {
        if let start = silentFromMs, endMs - start >= Self.leastMs { found.append(UInt32(clamping: start)..<UInt32(clamping: endMs)) }
        silentFromMs = nil
    }

    /// Called at the end of the file.
    mutating func end() { endSilence(at: atMs) }

    /// True if there is no room for more until some are taken.
    var isFull: Bool { found.count >= 8_000 }

    /// Silences since the last call; one that continues is returned up to the current position.
    mutating func take() -> [Range<UInt32>] {
        if let start = silentFromMs, atMs - start >= Self.leastMs {
            found.append(UInt32(clamping: start)..<UInt32(clamping: atMs))
            silentFromMs = atMs
        }
        defer { found = [] }
        return found
    }
}
