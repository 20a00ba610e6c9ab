import BatonProtocol
import BatonSeams

/// Who may try a code, and how often: the rules of `Protocol/`, "Pairing", about attempts.
///
/// A value. One window at a time, one attempt at a time in it, one attempt a second; five in a
/// window, and twenty without a right one until a person acts at the hub's own machine. An attempt
/// counts from the moment at which the hub gives its share away, whether or not anything follows:
/// dropping the line must not be free. What is refused before that counts nowhere, so that both sides
/// number the attempts of a connection alike. `Tests/Models/pairing.pml` checks just this.
struct PairingAttempts: Equatable, Sendable {
    static let attemptsPerWindow = 5
    static let mostFailures = 20
    static let betweenAttemptsUs: Int64 = 1_000_000
    /// How long one attempt keeps others waiting.
    static let attemptUs: Int64 = 10_000_000

    /// Who is in the middle of an attempt.
    private struct Attempt: Equatable, Sendable {
        var holder: Int
        var untilUs: Int64
        var isCounted = false
    }

    package private(set) var window: OpenPairing?
    /// Wrong or abandoned attempts since the last right one.
    package private(set) var failures: Int
    private var attempt: Attempt?
    private var nextUs: Int64 = 0

    init(failures: Int = 0) { self.failures = failures }

    /// The owner has to act at the hub's own machine.
    var isLocked: Bool { failures >= Self.mostFailures }

    package func window(atUs nowUs: Int64) -> OpenPairing? { window.flatMap { nowUs < $0.untilUs ? $0 : nil } }

    package mutating func open(_ window: OpenPairing, byLocalAdmin isLocal: Bool) throws(ProtocolFault) {
        if isLocal { failures = 0 }
        guard !isLocked else {
            throw ProtocolFault(
                .forbidden, "Too many wrong codes were tried. Open the next window on the hub's own machine: baton pair --open")
        }
        self.window = window
        attempt = nil
    }

    package mutating func close() {
        window = nil
        attempt = nil
    }

    /// Lets `holder` try. It counts only with `count`.
    package mutating func begin(_ holder: Int, atUs nowUs: Int64) throws(ProtocolFault) -> OpenPairing {
        guard let window = window(atUs: nowUs), window.attemptsLeft > 0, !isLocked else {
            throw ProtocolFault(.pairingClosed, "Nobody is being let in right now. On the hub's machine: baton pair --open")
        }
        if let attempt, attempt.holder != holder, nowUs < attempt.untilUs {
            throw ProtocolFault(.busy, "Another device is being paired at this moment. Try again in some seconds.")
        }
        guard nowUs >= nextUs else {
            var fault = ProtocolFault(.rateLimited, "One code a second can be tried.")
            fault.retryAfterMs = Int((nextUs - nowUs) / 1000) + 1
            throw fault
        }
        attempt = Attempt(holder: holder, untilUs: nowUs + Self.attemptUs)
        nextUs = nowUs + Self.betweenAttemptsUs
        return window
    }

    /// The holder's attempt counts from here on: the share leaves next.
    package mutating func count(_ holder: Int) {
        guard attempt?.holder == holder, attempt?.isCounted == false else { return }
        attempt?.isCounted = true
        failures += 1
        window?.attemptsLeft -= 1
    }

    /// Nothing was given away, so nothing was tried.
    package mutating func withdraw(_ holder: Int) {
        if attempt?.holder == holder, attempt?.isCounted == false { attempt = nil }
    }

    /// The holder's code was right: the window has served its purpose.
    mutating func succeed(_ holder: Int) -> Bool {
        guard attempt?.holder == holder else { return false }
        failures = 0
        close()
        return true
    }

    /// The holder's code was wrong, or the holder has gone. Says whether the window is over.
    package mutating func fail(_ holder: Int) -> Bool {
        guard attempt?.holder == holder else { return false }
        attempt = nil
        guard isLocked || window.map({ $0.attemptsLeft <= 0 }) ?? false else { return false }
        window = nil
        return true
    }
}
