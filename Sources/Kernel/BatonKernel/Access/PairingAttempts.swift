import BatonCore
import BatonProtocol
import BatonSeams

/// The limits on pairing attempts, as `Protocol/`, "Pairing", defines them.
///
/// A value. There is one window at a time, one attempt at a time in it, and one attempt a second. A window allows five
/// attempts; after twenty without a right one, pairing is locked until a person acts at the hub's own machine. An attempt
/// counts from the moment at which the hub sends its share, whatever follows, since dropping the connection must not be free.
/// Attempts that are refused before that are not counted, so that both sides number the attempts of a connection alike.
/// `Tests/Models/pairing.pml` checks this.
struct PairingAttempts: Equatable, Sendable {
    static let attemptsPerWindow = 5
    static let mostFailures = 20
    static let betweenAttemptsUs: Microseconds = 1_000_000
    /// Time for which one attempt blocks others.
    static let attemptUs: Microseconds = 10_000_000

    /// An attempt that has begun.
    private struct Attempt: Equatable, Sendable {
        var holder: Int
        var untilUs: Microseconds
        var isCounted = false
    }

    private(set) var window: OpenPairing?
    /// Wrong or abandoned attempts since the last right one.
    private(set) var failures: Int
    private var attempt: Attempt?
    private var nextUs: Microseconds = 0

    init(failures: Int = 0) { self.failures = failures }

    /// True when only the owner, at the hub's own machine, can allow more attempts.
    var isLocked: Bool { failures >= Self.mostFailures }

    func window(atUs nowUs: Microseconds) -> OpenPairing? { window.flatMap { nowUs < $0.untilUs ? $0 : nil } }

    mutating func open(_ window: OpenPairing, byLocalAdmin isLocal: Bool) throws(ProtocolFault) {
        if isLocal { failures = 0 }
        guard !isLocked else {
            throw ProtocolFault(
                .forbidden, "Too many wrong codes were tried. Open the next window on the hub's own machine: baton pair --open")
        }
        self.window = window
        attempt = nil
    }

    mutating func close() {
        window = nil
        attempt = nil
    }

    /// Begins an attempt of `holder`. It is counted by `count`.
    mutating func begin(_ holder: Int, atUs nowUs: Microseconds) throws(ProtocolFault) -> OpenPairing {
        guard let window = window(atUs: nowUs), window.attemptsLeft > 0, !isLocked else {
            throw ProtocolFault(.pairingClosed, "Nobody is being let in right now. On the hub's machine: baton pair --open")
        }
        if let attempt, attempt.holder != holder, nowUs < attempt.untilUs {
            throw ProtocolFault(.busy, "Another device is being paired at this moment. Try again in some seconds.")
        }
        guard nowUs >= nextUs else {
            var fault = ProtocolFault(.rateLimited, "One code a second can be tried.")
            fault.retryAfterMs = Milliseconds(nextUs - nowUs) + 1
            throw fault
        }
        attempt = Attempt(holder: holder, untilUs: nowUs + Self.attemptUs)
        nextUs = nowUs + Self.betweenAttemptsUs
        return window
    }

    /// Counts the holder's attempt, just before the share is sent.
    mutating func count(_ holder: Int) {
        guard attempt?.holder == holder, attempt?.isCounted == false else { return }
        attempt?.isCounted = true
        failures += 1
        window?.attemptsLeft -= 1
    }

    /// Withdraws an attempt before its share was sent. It does not count.
    mutating func withdraw(_ holder: Int) {
        if attempt?.holder == holder, attempt?.isCounted == false { attempt = nil }
    }

    /// Closes the window, since the holder's code was right.
    mutating func succeed(_ holder: Int) -> Bool {
        guard attempt?.holder == holder else { return false }
        failures = 0
        close()
        return true
    }

    /// Ends an attempt with a wrong code or a dropped connection. True when the window is closed by it.
    mutating func fail(_ holder: Int) -> Bool {
        guard attempt?.holder == holder else { return false }
        attempt = nil
        guard isLocked || window.map({ $0.attemptsLeft <= 0 }) ?? false else { return false }
        window = nil
        return true
    }
}
