/// Where playing is, as a straight line through what the device was heard to play.
///
/// A value. Each sample is a position and the moment it was true at. Samples are kept as distances
/// from the nominal line (the ordered speed), and a least squares fit through the last few seconds
/// evens out their noise and follows a device whose clock is a little off. A sample far from the
/// line is held back as an outlier; when several in a row agree with each other the position has
/// really jumped, and the line starts anew from them.
struct PositionLine: Equatable {
    struct Sample: Equatable {
        var atUs: Int64
        var positionUs: Double
    }

    /// Permille of normal speed.
    let rate: Int
    private var samples: [Sample] = []
    private var suspects: [Sample] = []

    static let windowUs: Int64 = 4_000_000
    /// Also with one sample a second, one of which may be missing.
    private static let settledUs: Int64 = 2_500_000
    /// Beyond this a sample is no noise of any output we have met.
    static let outlierUs = 15_000.0
    private static let suspectsForJump = 3
    /// Fewer or closer samples say nothing about the slope.
    private static let slopeSpanUs: Int64 = 1_500_000
    private static let slopeSamples = 8
    /// No sound card's clock is further off than this.
    private static let slopeLimit = 0.002

    init(rate: Int) { self.rate = rate }

    var isEmpty: Bool { samples.isEmpty }

    /// Whether its samples cover a few seconds, and none of late was far from it.
    var isSettled: Bool {
        guard let first = samples.first, let last = samples.last, suspects.isEmpty else { return false }
        return last.atUs - first.atUs >= Self.settledUs
    }

    mutating func add(atUs: Int64, positionUs: Double) {
        let sample = Sample(atUs: atUs, positionUs: positionUs)
        if let expected = self.positionUs(at: atUs), abs(expected - positionUs) > Self.outlierUs {
            suspects.append(sample)
            guard suspects.count >= Self.suspectsForJump else { return }
            // Those that agree with the newest are the new truth; others were outliers indeed.
            samples = suspects.filter { abs(distance(of: $0) - distance(of: sample)) <= Self.outlierUs }
            suspects = []
            if samples.count < Self.suspectsForJump { samples = [sample] }
            return
        }
        suspects = []
        samples.append(sample)
        samples.removeAll { $0.atUs < atUs - Self.windowUs }
    }

    /// The fitted position, `nil` before the first sample.
    func positionUs(at now: Int64) -> Double? {
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

    /// Only differences matter, so the base is free; the window's numbers stay exact in a Double.
    private func nominal(at atUs: Int64) -> Double { Double(atUs) * Double(rate) / 1000 }
}

/// The line that others were told, and whether the truth has left it.
struct ReportedPosition: Equatable {
    let positionMs: Int
    let atUs: Int64
    let rate: Int
    private var awaySinceUs: Int64?

    static let toleranceUs = 40_000.0
    /// Where pauses are left out, each of them moves the position; a word for each would be a countdown.
    static let trimmedToleranceUs = 1_000_000.0
    static let patienceUs: Int64 = 500_000

    init(positionMs: Int, atUs: Int64, rate: Int) {
        self.positionMs = positionMs
        self.atUs = atUs
        self.rate = rate
    }

    func positionUs(at now: Int64) -> Double {
        Double(positionMs) * 1000 + Double(now - atUs) * Double(rate) / 1000
    }

    /// True when the fit has been too far away for too long.
    mutating func isLeft(by positionUs: Double, at now: Int64, toleranceUs: Double = Self.toleranceUs) -> Bool {
        guard abs(positionUs - self.positionUs(at: now)) > toleranceUs else {
            awaySinceUs = nil
            return false
        }
        let since = awaySinceUs ?? now
        awaySinceUs = since
        return now - since >= Self.patienceUs
    }
}
