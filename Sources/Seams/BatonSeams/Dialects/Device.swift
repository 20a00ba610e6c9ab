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

    package var id: DeviceID
    package var name: String
    package var role: Role
    /// The person whose places its listening moves.
    package var person: Person
    package var proof: Proof
    package var pairedMs: Int64
    package var seenMs: Int64
    /// The time at which its access ends; `nil` for never.
    package var expiresMs: Int64?
    /// The range in which a guest may change the volume.
    package var span: ClosedRange<Int>?

    package init(
        id: DeviceID, name: String, role: Role, person: Person = .home, proof: Proof, pairedMs: Int64, seenMs: Int64,
        expiresMs: Int64? = nil, span: ClosedRange<Int>? = nil
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

    package var isBrowser: Bool { if case .cookie = proof { true } else { false } }

    package func isExpired(atMs nowMs: Int64) -> Bool { expiresMs.map { $0 <= nowMs } ?? false }
}

/// A pairing window, in which the next device can be paired.
package struct OpenPairing: Equatable, Sendable {
    package var role: Role
    /// A PIN of six digits.
    package var pin: String
    /// The content of a QR code.
    package var token: [UInt8]
    package var untilUs: Int64
    /// The time that the new device may stay; `nil` for no limit.
    package var stayMs: Int?
    package var attemptsLeft: Int

    package init(role: Role, pin: String, token: [UInt8], untilUs: Int64, stayMs: Int?, attemptsLeft: Int) {
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
