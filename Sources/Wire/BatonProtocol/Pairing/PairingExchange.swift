/// Pairing with the four messages of `Protocol/`: a device that was told the hub's code, and the hub that shows it, prove to each other
/// that they know the same code, and agree on a key.
///
/// Two values, one for each side, that go through their steps once. The device proves first, so a wrong guess reveals only that it was
/// wrong.
package struct PairingContext: Equatable, Sendable {
    /// The connection on which the pairing takes place.
    package var binding: ChannelBinding
    /// The hub's, from `challenge`.
    package var hubNonce: [UInt8]
    /// The device's, from its first message of the exchange.
    package var deviceNonce: [UInt8]
    /// The number of the attempt on its connection, from 1.
    package var round: UInt32
    /// The device's id of its client, as in `hello`.
    package var client: String
    /// The name that the device wants to have.
    package var name: String
    /// The hub's id, as in `challenge`.
    package var hub: String

    package init(
        binding: ChannelBinding, hubNonce: [UInt8], deviceNonce: [UInt8], round: UInt32, client: String, name: String, hub: String
    ) {
        self.binding = binding
        self.hubNonce = hubNonce
        self.deviceNonce = deviceNonce
        self.round = round
        self.client = client
        self.name = name
        self.hub = hub
    }

    var sid: [UInt8] {
        hubNonce + deviceNonce + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: round >> UInt32($0)) }
    }
    var ada: [UInt8] { CPace.joined(Array(client.utf8), Array(name.utf8)) }
    var adb: [UInt8] { CPace.joined(Array(hub.utf8)) }

    func ci(_ cryptography: any Cryptography) -> [UInt8] { Array("baton-pair-v1".utf8) + binding.bytes(cryptography) }
}

/// The reasons for which an exchange fails.
package enum PairingFault: Error, Equatable, Sendable {
    /// A share that no correct implementation sends.
    case badShare
    /// A different code on the other side, or an intercepted connection.
    case wrongCode
}

/// One side's secret number and share.
private struct Half: Sendable {
    let context: PairingContext
    let cryptography: any Cryptography
    let scalar: [UInt8]
    let share: [UInt8]

    init(code: [UInt8], _ context: PairingContext, _ cryptography: any Cryptography) {
        self.context = context
        self.cryptography = cryptography
        let cpace = CPace(cryptography)
        let generator = cpace.generator(prs: code, ci: context.ci(cryptography), sid: context.sid)
        scalar = cryptography.random(32)
        guard let share = cpace.multiply(scalar, generator) else {
            preconditionFailure("Elligator 2 gives no point of low order but with negligible chance.")
        }
        self.share = share
    }

    func secret(with other: [UInt8]) throws(PairingFault) -> [UInt8] {
        guard other.count == 32, !isSame(other, share), let secret = CPace(cryptography).multiply(scalar, other) else { throw .badShare }
        return secret
    }
}

/// The keys and tags that both sides compute from each other's share.
private struct Agreement: Sendable {
    let sessionKey: [UInt8]
    let deviceTag: [UInt8]
    let hubTag: [UInt8]
    let wrappingKey: [UInt8]

    init(_ half: Half, secret: [UInt8], ya: [UInt8], yb: [UInt8]) {
        let context = half.context
        let cpace = CPace(half.cryptography)
        let sid = context.sid
        sessionKey = cpace.sessionKey(
            sid: sid, secret: secret, transcript: CPace.transcript(ya: ya, ada: context.ada, yb: yb, adb: context.adb))
        deviceTag = cpace.tag(sid: sid, sessionKey: sessionKey, share: ya, ad: context.ada)
        hubTag = cpace.tag(sid: sid, sessionKey: sessionKey, share: yb, ad: context.adb)
        wrappingKey = half.cryptography.hkdfSHA256(sessionKey, salt: sid, info: Array("baton-wrap".utf8), count: 32)
    }

    /// The key is used for this one message only, so its nonce may be zero.
    static let nonce = [UInt8](repeating: 0, count: 12)
}

/// The device's side.
package struct PairingDevice: Sendable {
    private let half: Half
    private var agreement: Agreement?

    /// An exchange with the code as its person entered it. It draws the secret number, so that each try has its own.
    package init(code: [UInt8], _ context: PairingContext, _ cryptography: any Cryptography) {
        half = Half(code: code, context, cryptography)
    }

    /// `ya`
    package var share: [UInt8] { half.share }

    /// Takes `yb` and returns `ta`.
    package mutating func prove(to yb: [UInt8]) throws(PairingFault) -> [UInt8] {
        let agreement = Agreement(half, secret: try half.secret(with: yb), ya: half.share, yb: yb)
        self.agreement = agreement
        return agreement.deviceTag
    }

    /// Takes `tb` and the wrapped key of the hub, and returns the key.
    package func key(provedBy tb: [UInt8], wrapped: [UInt8]) throws(PairingFault) -> [UInt8] {
        guard let agreement, isSame(tb, agreement.hubTag),
            let key = half.cryptography.open(wrapped, key: agreement.wrappingKey, nonce: Agreement.nonce), key.count == DeviceProof.keyBytes
        else { throw .wrongCode }
        return key
    }
}

/// The hub's side.
package struct PairingHub: Sendable {
    private let half: Half
    private let agreement: Agreement

    /// Takes `ya`.
    package init(code: [UInt8], ya: [UInt8], _ context: PairingContext, _ cryptography: any Cryptography) throws(PairingFault) {
        half = Half(code: code, context, cryptography)
        agreement = Agreement(half, secret: try half.secret(with: ya), ya: ya, yb: half.share)
    }

    /// `yb`
    package var share: [UInt8] { half.share }

    /// Takes `ta` and, if it is correct, returns `tb` and the wrapped key.
    package func welcome(_ ta: [UInt8], key: [UInt8]) throws(PairingFault) -> (tb: [UInt8], wrapped: [UInt8]) {
        guard isSame(ta, agreement.deviceTag) else { throw .wrongCode }
        return (agreement.hubTag, half.cryptography.seal(key, key: agreement.wrappingKey, nonce: Agreement.nonce))
    }
}
