package import BatonCore
package import BatonSeams

/// The clocks of the hub: the loop's monotonic clock, the wall clock, and the journal's clock, which gives the age of edits.
/// All are passed in, so that tests can move them.
///
/// `Clock` may be read on every thread. This one belongs to the loop, because its readings and its alarms must come from the
/// same `Reactor`.
@Loop
package struct HubClock {
    /// The loop that gives the time and rings alarms.
    package let reactor: any Reactor
    private let journal: any Journal
    /// Milliseconds since 1970. A person or the network may set this clock, so it measures no durations.
    package let wallMs: @Sendable () -> Milliseconds

    init(_ reactor: any Reactor, _ journal: any Journal, wallMs: @escaping @Sendable () -> Milliseconds) {
        self.reactor = reactor
        self.journal = journal
        self.wallMs = wallMs
    }

    /// Microseconds of the monotonic clock, which costs less than `now`.
    package var nowUs: Microseconds { reactor.nowUs }
    /// All three clocks at once; the journal is asked for its own.
    package var now: Moment { Moment(us: reactor.nowUs, wallMs: wallMs(), steadyMs: journal.clockMs) }

    /// Calls the action once after the delay; the returned alarm cancels it.
    package func after(_ delay: Duration, _ action: @escaping @Loop () -> Void) -> any Alarm { reactor.after(delay, action) }
}
