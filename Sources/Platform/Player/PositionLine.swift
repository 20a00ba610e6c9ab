import BatonCore

/// The playback position, as a straight line through measured positions.
///
/// A value. Each sample is a position and the time at which it was true. Samples are stored as distances from the nominal line (the ordered
/// speed). A least squares fit through the last few seconds removes their noise and follows a device whose clock is a little off. A sample
/// far from the line is held back as an outlier; when several in a row agree with each other, the position has really jumped, and the line
/// restarts from them.
struct PositionLine: Equatable {
    struct Sample: Equatable {
        var atUs: Microseconds
        var positionUs: Double
    }

    /// Speed in permille of normal.
    let rate: Int
    private var samples: [Sample] = []
    private var suspects: [Sample] = []

    static let windowUs: Microseconds = 4_000_000
    /// Long enough for one sample a second, even if one is missing.
    private static let settledUs: Microseconds = 2_500_000
    /// Distance that no output's noise has exceeded in our measurements.
    static let outlierUs = 15_000.0
    private static let suspectsForJump = 3
    /// Fewer or closer samples give no reliable slope.
    private static let slopeSpanUs: Microseconds = 1_500_000
    private static let slopeSamples = 8
    /// Upper bound for the clock error of a sound card.
    private static let slopeLimit = 0.002

    init(rate: Int) { self.rate = rate }

    var isEmpty: Bool { samples.isEmpty }

    /// Whether samples cover a few seconds, without recent outliers.
    var isSettled: Bool {
        guard let first = samples.first, let last = samples.last, suspects.isEmpty else { return false }
        return last.atUs - first.atUs >= Self.settledUs
    }

    mutating func add(atUs: Microseconds, positionUs: Double) {
        let sample = Sample(atUs: atUs, positionUs: positionUs)
        if let expected = self.positionUs(at: atUs), abs(expected - positionUs) > Self.outlierUs {
            suspects.append(sample)
            guard suspects.count >= Self.suspectsForJump else { return }
            // Suspects that agree with the newest become the new line; the others were outliers.
            samples = suspects.filter { abs(distance(of: $0) - distance(of: sample)) <= Self.outlierUs }
            suspects = []
            if samples.count < Self.suspectsForJump { samples = [sample] }
            return
        }
        suspects = []
        samples.append(sample)
        samples.removeAll { $0.atUs < atUs - Self.windowUs }
    }

    /// The fitted position; `nil` before the first sample.
    func positionUs(at now: Microseconds) -> Double? {
        guard let origin = samples.last?.atUs else { return nil }
        let count = Double(samples.count)
        let times = samples.map { Double($0.atUs - origin) }
        let offsets = samples.map(distance)
        let meanTime = times.reduce(0, +) / count
        let meanOffset = offsets.reduce(0, +) / count
        var slope = 0.0
        if samples.count >= Self.slopeSamples, origin - samples[0].atUs >= Self.slopeSpanUs {
            var product = 0.0
            var square = 0.0
            for (time, offset) in zip(times, offsets) {
                product += (time - meanTime) * (offset - meanOffset)
                square += (time - meanTime) * (time - meanTime)
            }
            slope = min(max(product / square, -Self.slopeLimit), Self.slopeLimit)
        }
        let offset = meanOffset + slope * (Double(now - origin) - meanTime)
        return offset + nominal(at: now)
    }

    private func distance(of sample: Sample) -> Double { sample.positionUs - nominal(at: sample.atUs) }

    /// Only differences matter, so the base is free, and the numbers of one window are exact in a Double.
    private func nominal(at atUs: Microseconds) -> Double { Double(atUs) * Double(rate) / 1000 }
}

/// The line that was reported, and whether the position has left it.
struct ReportedPosition: Equatable {
    let positionMs: Milliseconds
    let atUs: Microseconds
    let rate: Int
    private var awaySinceUs: Microseconds?

    static let toleranceUs = 40_000.0
    /// Tolerance while pauses are trimmed: each trimmed pause moves the position, and reporting every one would be too much.
    static let trimmedToleranceUs = 1_000_000.0
    static let patienceUs: Microseconds = 500_000

    init(positionMs: Milliseconds, atUs: Microseconds, rate: Int) {
        self.positionMs = positionMs
        self.atUs = atUs
        self.rate = rate
    }

    func positionUs(at now: Microseconds) -> Double {
        Double(positionMs) * 1000 + Double(now - atUs) * Double(rate) / 1000
    }

    /// True if the fit has been too far away for too long.
    mutating func isLeft(by positionUs: Double, at now: Microseconds, toleranceUs: Double = Self.toleranceUs) -> Bool {
        guard abs(positionUs - self.positionUs(at: now)) > toleranceUs else {
            awaySinceUs = nil
            return false
        }
        let since = awaySinceUs ?? now
        awaySinceUs = since
        return now - since >= Self.patienceUs
    }
}
