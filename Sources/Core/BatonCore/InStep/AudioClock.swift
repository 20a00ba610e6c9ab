/// Knows the hub's clock on a device that plays sound, to some hundredths of a millisecond.
///
/// A Kalman filter of two numbers: the offset between the two clocks, and how fast it changes. An exchange of clocks can be wrong by
/// half its round trip and by no more, so that is the error it is taken with. The drift is used only once it is known to be
/// there: before that it would add more noise than it takes away.
package struct AudioClock: Equatable, Sendable {
    /// A difference of so many deviations contradicts what is known: a clock has jumped.
    private static let surprise = 3.0
    /// The drift is used when it is so many of its deviations away from none.
    private static let certainty = 2.0
    /// Crystals of devices differ by so much at most as a rule, as a part of one.
    private static let driftDeviation = 50e-6
    /// What is more is no drift, and a device that says so is not believed.
    private static let mostDrift = 1e-3
    /// How much the offset and the drift may change by themselves in one microsecond, as variances.
    private static let offsetNoise = 1e-6
    private static let driftNoise = 1e-19
    /// A round trip of nothing would make every other exchange a contradiction.
    private static let leastErrorUs = 5.0

    /// Hub time minus our time, at the last exchange.
    package private(set) var offsetUs = 0.0
    /// Microseconds for each microsecond.
    package private(set) var drift = 0.0
    private var offsetVariance = 0.0
    private var covariance = 0.0
    private var driftVariance = 0.0
    private var takenUs: Int64?

    package init() {}

    package var isKnown: Bool { takenUs != nil }

    /// How wrong the offset may be, as a standard deviation at the last exchange.
    package var errorUs: Double { offsetVariance.squareRoot() }

    /// Takes the best exchange of several: hub time minus our time, and half the round trip.
    package mutating func take(offsetUs measured: Double, errorUs: Double, atUs: Int64) {
        guard measured.isFinite, errorUs.isFinite, errorUs >= 0 else { return }
        let error = max(errorUs, Self.leastErrorUs)
        guard let before = takenUs else { return begin(measured, error, atUs) }
        guard atUs > before else { return }
        predict(Double(atUs - before))
        let difference = measured - offsetUs
        // An exchange is never more wrong than its round trip allows. So what is known has become wrong.
        let allowed = Self.surprise * (offsetVariance + error * error).squareRoot()
        if abs(difference) > allowed { offsetVariance += difference * difference }
        let total = offsetVariance + error * error
        let (offsetGain, driftGain) = (offsetVariance / total, covariance / total)
        offsetUs += offsetGain * difference
        drift = min(max(drift + driftGain * difference, -Self.mostDrift), Self.mostDrift)
        driftVariance -= driftGain * covariance
        covariance -= driftGain * offsetVariance
        offsetVariance -= offsetGain * offsetVariance
        takenUs = atUs
    }

    /// The hub's clock at a moment of ours; `nil` before the first exchange.
    package func hubUs(atUs nowUs: Int64) -> Int64? {
        guard let takenUs else { return nil }
        let since = Double(nowUs - takenUs)
        let isDrifting = abs(drift) > Self.certainty * driftVariance.squareRoot()
        return nowUs + Int64((offsetUs + (isDrifting ? drift * since : 0)).rounded())
    }

    /// The hub's clock began anew.
    package mutating func reset() { self = AudioClock() }

    private mutating func begin(_ measured: Double, _ error: Double, _ atUs: Int64) {
        offsetUs = measured
        offsetVariance = error * error
        driftVariance = Self.driftDeviation * Self.driftDeviation
        takenUs = atUs
    }

    private mutating func predict(_ passed: Double) {
        offsetUs += drift * passed
        offsetVariance += 2 * passed * covariance + passed * passed * driftVariance + Self.offsetNoise * passed
        covariance += passed * driftVariance
        driftVariance += Self.driftNoise * passed
    }
}
