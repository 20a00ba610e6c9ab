package import BatonCore
package import BatonProtocol

/// A device or a browser that the hub has let in, as it is remembered between two connections.
package struct Device: Equatable, Sendable {
    /// How it shows who it is.
    package enum Proof: Equatable, Sendable {
        /// The key of its pairing. A newer one counts from the moment it is first used.
        case key([UInt8], next: [UInt8]?)
        /// SHA-256 of what its cookie holds; a reader of the file cannot pose as the browser.
        case cookie(hash: [UInt8])
    }

    package var id: DeviceID
    package var name: String
    package var role: Role
    /// Whose places its listening moves.
    package var person: Person
    package var proof: Proof
    package var pairedMs: Int64
    package var seenMs: Int64
    /// When it has to go; never, if `nil`.
    package var expiresMs: Int64?
    /// The levels between which it may turn the volume, for a guest.
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

/// A pairing window: how the next device may come in.
package struct OpenPairing: Equatable, Sendable {
    package var role: Role
    /// Six digits.
    package var pin: String
    /// What a QR code holds.
    package var token: [UInt8]
    package var untilUs: Int64
    /// How long the new device may stay; for good, if `nil`.
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

    package func code(_ kind: PairMessage.Code) -> [UInt8] {
        switch kind {
        case .pin: Array(pin.utf8)
        case .qr: token
        }
    }
}
