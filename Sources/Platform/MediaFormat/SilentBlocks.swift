/// Hundredths of a second of sound, each of which is silent or not, and the silences that they form.
///
/// A value. It is told the power of each sample, and keeps no samples.
struct SilentBlocks {
    /// Up to where sound was looked through, in ms from the file's first sample on.
    private(set) var atMs = 0
    private var found: [Range<UInt32>] = []
    private var silentFromMs: Int?
    private var rate = 0
    private var sum: Float = 0
    private var count = 0
    /// Samples of whole blocks since `baseMs`.
    private var passed = 0
    private var baseMs = 0

    /// Mean power below which a block is silent: 50 dB below the loudest sound that there is. Speech is seldom below -40 dB, also where it is
    /// soft, and the noise of a room in which books are read is below -55 dB.
    private static let silentPower: Float = 1e-5
    private static let blocksPerSecond = 100
    /// Gaps and overlaps of time stamps that are larger than this are followed.
    private static let toleranceMs = 50
    /// A shorter one is a pause between words at most, and is not told.
    private static let leastMs = 100

    /// Sound follows that has this time stamp; `nil` is right behind the sound before it.
    mutating func begin(rate: Int, atMs stamp: Int?) {
        let expectedMs = positionMs
        let startMs = stamp.map { abs($0 - expectedMs) > Self.toleranceMs ? max(0, $0) : expectedMs } ?? expectedMs
        guard rate != self.rate || startMs != expectedMs else { return }
        // What is missing between time stamps is not known to be silent.
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

    /// The file has ended.
    mutating func end() { endSilence(at: atMs) }

    /// There is no room for more before they are taken.
    var isFull: Bool { found.count >= 8_000 }

    /// Those that were found since the last time; one that goes on is told up to here.
    mutating func take() -> [Range<UInt32>] {
        if let start = silentFromMs, atMs - start >= Self.leastMs {
            found.append(UInt32(clamping: start)..<UInt32(clamping: atMs))
            silentFromMs = atMs
        }
        defer { found = [] }
        return found
    }
}
