package import BatonCore
package import BatonProtocol

/// A device or a browser that the hub has let in, in the form that is stored.
package struct Device: Equatable, Sendable {
    /// The way in which it proves who it is.
    package enum Proof: Equatable, Sendable {
        /// The key of its pairing. A newer key becomes valid when it is first used.
        case key([UInt8], next: [UInt8]?)
        /// SHA-256 of the cookie's content, so that a reader of the file cannot pose as the browser.
        case cookie(hash: [UInt8])
    }

    /// The id, which the device also names when it comes back.
    package var id: DeviceID
    /// The name that people see.
    package var name: String
    /// The highest role of its connections.
    package var role: Role
    /// The person whose places its listening moves.
    package var person: Person
    /// The key or cookie by which it is recognised.
    package var proof: Proof
    /// Wall clock time of the pairing.
    package var pairedMs: Milliseconds
    /// Wall clock time at which it was last seen; stored within a minute.
    package var seenMs: Milliseconds
    /// The time at which its access ends; `nil` for never.
    package var expiresMs: Milliseconds?
    /// The range in which a guest may change the volume.
    package var span: ClosedRange<Int>?

    package init(
        id: DeviceID, name: String, role: Role, person: Person = .home, proof: Proof, pairedMs: Milliseconds, seenMs: Milliseconds,
        expiresMs: Milliseconds? = nil, span: ClosedRange<Int>? = nil
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.person = person
        self.proof = proof
        self.pairedMs = pairedMs
        self.seenMs = seenMs
        self.expiresMs = expiresMs
        self.span = span
    }

    /// True for a browser with a cookie, false for a device with a key.
    package var isBrowser: Bool { if case .cookie = proof { true } else { false } }

    /// True when its access has ended.
    package func isExpired(atMs nowMs: Milliseconds) -> Bool { expiresMs.map { $0 <= nowMs } ?? false }
}

/// A pairing window, in which the next device can be paired.
package struct OpenPairing: Equatable, Sendable {
    /// The role that the new device gets at most.
    package var role: Role
    /// A PIN of six digits.
    package var pin: String
    /// The content of a QR code.
    package var token: [UInt8]
    /// The end of the window, in microseconds of the monotonic clock.
    package var untilUs: Microseconds
    /// The time that the new device may stay; `nil` for no limit.
    package var stayMs: Milliseconds?
    /// Number of wrong codes until the window closes.
    package var attemptsLeft: Int

    package init(role: Role, pin: String, token: [UInt8], untilUs: Microseconds, stayMs: Milliseconds?, attemptsLeft: Int) {
        self.role = role
        self.pin = pin
        self.token = token
        self.untilUs = untilUs
        self.stayMs = stayMs
        self.attemptsLeft = attemptsLeft
    }

    package func code(_ kind: PairBegin.Code) -> [UInt8] {
        switch kind {
        case .pin: Array(pin.utf8)
        case .qr: token
        }
    }
}
