package import BatonCore
package import BatonProtocol

/// Estimates the hub's clock from the recent exchange with the smallest possible error.
///
/// An exchange can be wrong by half its round trip, plus the drift of the two clocks since then. Without the drift, a
/// quiet link would keep a sample for minutes and be milliseconds off.
package struct ClockFilter: Equatable, Sendable {
    /// One exchange of times with the hub.
    package struct Sample: Equatable, Sendable {
        /// Hub time minus our time.
        package var offsetUs: Microseconds
        /// Travel time of question and answer, without the time that the hub took to answer.
        package var roundTripUs: Microseconds
        /// The local clock when the answer arrived.
        package var atUs: Microseconds
    }

    /// Number of exchanges that the filter remembers; the oldest is dropped first.
    package static let window = 8
    /// The assumed drift between two clocks, in parts per million.
    package static let driftPPM: Int = 50

    /// Exchanges in the order of their arrival, at most `window`.
    package private(set) var samples: [Sample] = []

    package init() {}

    /// Adds an exchange, with local times around it and the hub's times inside it. An exchange that runs backwards is
    /// ignored.
    package mutating func add(_ exchange: ClockSample, receivedUs t4: Microseconds) {
        guard let t1 = exchange.t1.map({ Microseconds($0) }) else { return }
        let (t2, t3) = (Microseconds(exchange.t2), Microseconds(exchange.t3))
        let roundTrip = (t4 - t1) - (t3 - t2)
        guard t4 >= t1, roundTrip >= 0 else { return }
        let offset = ((t2 - t1) + (t3 - t4)) / 2
        samples.append(Sample(offsetUs: offset, roundTripUs: roundTrip, atUs: t4))
        if samples.count > Self.window { samples.removeFirst() }
    }

    /// Forgets all samples, so that the hub's clock is unknown until the next exchange.
    package mutating func reset() { samples = [] }

    /// The sample whose error is smallest at this local time; `nil` before the first exchange.
    package func best(atUs nowUs: Microseconds) -> Sample? {
        samples.min { errorUs(of: $0, atUs: nowUs) < errorUs(of: $1, atUs: nowUs) }
    }

    /// The largest error that a sample may have by now.
    package func errorUs(of sample: Sample, atUs nowUs: Microseconds) -> Microseconds {
        let driftUs = max(0, nowUs - sample.atUs) * Self.driftPPM / 1_000_000
        return sample.roundTripUs / 2 + driftUs
    }

    /// The estimated time of the hub's clock.
    package func hubUs(atUs nowUs: Microseconds) -> Microseconds? {
        best(atUs: nowUs).map { nowUs + $0.offsetUs }
    }
}
