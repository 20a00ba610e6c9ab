package import BatonProtocol

/// Knows the hub's clock from here: of the last exchanges it believes the one that can be least wrong.
///
/// An exchange can be wrong by half its round trip, and grows stale as the two clocks drift apart.
/// Without the second term a quiet link would keep a sample for minutes and be milliseconds off.
package struct ClockFilter: Equatable, Sendable {
    package struct Sample: Equatable, Sendable {
        /// Hub time minus our time.
        package var offsetUs: Int64
        package var roundTripUs: Int64
        /// Our clock when the answer came.
        package var atUs: Int64
    }

    package static let window = 8
    /// How fast two clocks may drift apart, in parts per million.
    package static let driftPPM: Int64 = 50

    package private(set) var samples: [Sample] = []

    package init() {}

    /// Takes an exchange in: our stamps around it, the hub's inside it. One that ran backwards says nothing.
    package mutating func add(_ exchange: ClockSample, receivedUs t4: Int64) {
        guard let t1 = exchange.t1 else { return }
        let roundTrip = (t4 - t1) - (exchange.t3 - exchange.t2)
        guard t4 >= t1, roundTrip >= 0 else { return }
        let offset = ((exchange.t2 - t1) + (exchange.t3 - t4)) / 2
        samples.append(Sample(offsetUs: offset, roundTripUs: roundTrip, atUs: t4))
        if samples.count > Self.window { samples.removeFirst() }
    }

    package mutating func reset() { samples = [] }

    package func best(atUs nowUs: Int64) -> Sample? {
        samples.min { errorUs(of: $0, atUs: nowUs) < errorUs(of: $1, atUs: nowUs) }
    }

    /// How wrong a sample may be by now.
    package func errorUs(of sample: Sample, atUs nowUs: Int64) -> Int64 {
        sample.roundTripUs / 2 + max(0, nowUs - sample.atUs) * Self.driftPPM / 1_000_000
    }

    /// The hub's clock now, as well as we know it.
    package func hubUs(atUs nowUs: Int64) -> Int64? {
        best(atUs: nowUs).map { nowUs + $0.offsetUs }
    }
}
