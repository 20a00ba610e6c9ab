/// An estimate of the hub's clock on a device that plays sound, exact to some hundredths of a millisecond.
///
/// A Kalman filter with two states: the offset between the clocks, and its drift. An exchange of clocks can be wrong by at most half its round trip,
/// so that is its error. The drift is used only once it is certain; before that it would add more noise than it removes.
package struct AudioClock: Equatable, Sendable {
    /// A difference of this many deviations contradicts the estimate: a clock has jumped.
    private static let surprise = 3.0
    /// The drift is used once it is this many of its deviations away from zero.
    private static let certainty = 2.0
    /// The usual maximum difference between crystals of devices, as a fraction.
    private static let driftDeviation = 50e-6
    /// Limit of the drift; a larger value is a measuring error.
    private static let mostDrift = 1e-3
    /// Variances that the offset and the drift gain by themselves per microsecond.
    private static let offsetNoise = 1e-6
    private static let driftNoise = 1e-19
    /// Lower limit of the error; with a round trip of zero every other exchange would be a contradiction.
    private static let leastErrorUs = 5.0

    /// Hub time minus our time, at the last exchange.
    package private(set) var offsetUs = 0.0
    /// Drift in microseconds per microsecond.
    package private(set) var drift = 0.0
    private var offsetVariance = 0.0
    private var covariance = 0.0
    private var driftVariance = 0.0
    private var takenUs: Microseconds?

    /// A clock without exchanges, which gives no time.
    package init() {}

    /// True once an exchange was taken.
    package var isKnown: Bool { takenUs != nil }

    /// The standard deviation of the offset at the last exchange.
    package var errorUs: Double { offsetVariance.squareRoot() }

    /// Takes the best of several exchanges: hub time minus our time, and half the round trip.
    package mutating func take(offsetUs measured: Double, errorUs: Double, atUs: Microseconds) {
        guard measured.isFinite, errorUs.isFinite, errorUs >= 0 else { return }
        let error = max(errorUs, Self.leastErrorUs)
        guard let before = takenUs else { return begin(at: measured, error: error, atUs: atUs) }
        guard atUs > before else { return }
        predict(Double(atUs - before))
        let difference = measured - offsetUs
        // An exchange is never more wrong than its round trip allows, so the estimate has become wrong.
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
    package func hubUs(atUs nowUs: Microseconds) -> Microseconds? {
        guard let takenUs else { return nil }
        let since = Double(nowUs - takenUs)
        let isDrifting = abs(drift) > Self.certainty * driftVariance.squareRoot()
        return nowUs + Microseconds((offsetUs + (isDrifting ? drift * since : 0)).rounded())
    }

    /// Starts anew because the hub's clock has restarted.
    package mutating func reset() { self = AudioClock() }

    private mutating func begin(at measured: Double, error: Double, atUs: Microseconds) {
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
