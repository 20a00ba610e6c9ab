import BatonCore
package import BatonProtocol
package import BatonSeams

/// The window in which another device may be paired, and the attempts to pair in it.
///
/// A failed attempt is counted on disk before anything is given away, so that a restart gives no further attempts.
extension DeviceRegistry {
    /// The open window with its code, which is for the owner's eyes only; `nil` once its time is over.
    package var window: OpenPairing? { pairing.window(atUs: reactor.nowUs) }
    var isLocked: Bool { pairing.isLocked }

    func openWindow(role: Role, ttlMs: Milliseconds, stayMs: Milliseconds?, byLocalAdmin isLocal: Bool) throws(ProtocolFault) -> OpenPairing
    {
        let window = OpenPairing(
            role: role, pin: freshPIN(), token: cryptography.random(16), untilUs: reactor.nowUs + Microseconds(ttlMs), stayMs: stayMs,
            attemptsLeft: PairingAttempts.attemptsPerWindow)
        try pairing.open(window, byLocalAdmin: isLocal)
        try storeFailures()
        windowAlarm?.cancel()
        windowAlarm = reactor.after(.milliseconds(ttlMs)) { [weak self] in self?.closeWindow() }
        tellOfWindow(isOpen: true)
        log(.notice, "A pairing window for the role \(role.rawValue) is open for \(ttlMs.seconds) seconds.")
        return window
    }

    /// A PIN. Each of the million is equally likely: random numbers that would favour some are discarded.
    private func freshPIN() -> String {
        while true {
            let number = cryptography.random(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard number < 4_294_000_000 else { continue }
            let digits = String(number % 1_000_000)
            return String(repeating: "0", count: 6 - digits.count) + digits
        }
    }

    func closeWindow() {
        windowAlarm?.cancel()
        windowAlarm = nil
        guard pairing.window != nil else { return }
        pairing.close()
        tellOfWindow(isOpen: false)
    }

    private func tellOfWindow(isOpen: Bool) {
        announcer?.pairingChanged(isOpen: isOpen)
        events?.send(.pairingWindowChanged)
    }

    private func storeFailures() throws(ProtocolFault) {
        var table = table
        table.failures = pairing.failures
        try store(table)
    }

    /// Begins an attempt if no other connection has a running one and a second has passed since the last. It is not counted yet.
    package func beginAttempt(_ holder: Int) throws(ProtocolFault) -> OpenPairing { try pairing.begin(holder, atUs: reactor.nowUs) }

    /// Ends an attempt of this holder that is not counted; a counted one stays.
    package func withdrawAttempt(_ holder: Int) { pairing.withdraw(holder) }

    /// Counts the attempt on disk. If that fails, the attempt has failed too, so that a full disk gives no free attempts.
    package func countAttempt(_ holder: Int) throws(ProtocolFault) {
        pairing.count(holder)
        do throws(ProtocolFault) { try storeFailures() } catch {
            _ = pairing.fail(holder)
            throw error
        }
    }

    /// Counts a failed attempt: a wrong code, or a dropped connection.
    package func failAttempt(_ holder: Int) {
        guard pairing.fail(holder) else { return }
        log(.warning, "Too many wrong codes: the pairing window is closed.")
        windowAlarm?.cancel()
        tellOfWindow(isOpen: false)
    }

    /// Registers the device of a successful attempt; its key or cookie is valid from here on.
    package func admit(_ holder: Int, name: String, role: Role, as proof: Device.Proof, _ window: OpenPairing) throws(ProtocolFault)
        -> Device
    {
        guard pairing.succeed(holder) else {
            throw ProtocolFault(.pairingClosed, "The pairing window was closed meanwhile. Open another one: baton pair --open")
        }
        windowAlarm?.cancel()
        tellOfWindow(isOpen: false)
        let nowMs = wallMs()
        let device = Device(
            id: DeviceID("d_" + Base64URL.text(cryptography.random(6))), name: name, role: role, proof: proof, pairedMs: nowMs,
            seenMs: nowMs, expiresMs: window.stayMs.map { nowMs + $0 })
        var table = table
        table.failures = 0
        table[device.id] = device
        try store(table)
        log(.notice, "“\(name)” is paired and has the role \(role.rawValue).")
        return device
    }
}
