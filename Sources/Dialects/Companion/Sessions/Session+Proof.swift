import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// The steps between `hello` and `welcome` for clients that must prove who they are: the hub's challenge, and the device's answer with the
/// key from its pairing.
extension Session {
    /// The messages so far, which the proofs cover.
    struct Introduction {
        let hello: Hello
        let helloBytes: [UInt8]
        let challengeBytes: [UInt8]
        let nonce: [UInt8]
        let binding: ChannelBinding
        /// Attempts to pair on this connection, counted when the hub's share is sent.
        var attempts: UInt32 = 0
        var pairing: Pairing?
        /// The end of the time for pairing, which the first attempt begins.
        var pairingEndUs: Microseconds?
    }

    /// An attempt whose share was sent.
    struct Pairing {
        let exchange: PairingHub
        let begin: PairBegin
        let window: OpenPairing
    }

    func challenge(_ hello: Hello, _ text: [UInt8]) {
        guard let deviceRegistry = companion.ports.devices else {
            return end(.notAuthenticated, "This hub cannot pair: it was started without keys of its own.")
        }
        let exporter = hello.caps.contains("cb.exp") ? link?.exporter : nil
        let methods: [Challenge.Method] = deviceRegistry.window == nil ? [.device] : [.device, .pin, .qr]
        let nonce = deviceRegistry.cryptography.random(DeviceProof.nonceBytes)
        let challenge = Challenge(
            hub: .init(id: companion.ports.identity.id, name: companion.ports.identity.name), nonce: nonce, methods: methods,
            binding: exporter == nil ? .spki : .exp)
        let frame = message(challenge.encode)
        introduction = Introduction(
            hello: hello, helloBytes: text, challengeBytes: Array(frame.payload), nonce: nonce,
            binding: exporter.map { .exporter($0) } ?? .key(deviceRegistry.hubKey))
        deadlineUs = companion.reactor.nowUs + Microseconds(companion.limits.authWithinMs)
        send(frame)
    }

    private static func closing(after fault: ProtocolFault) -> CloseCode {
        switch fault.code {
        case .revoked: .revokedOrForbidden
        case .rateLimited: .flooding
        default: .notAuthenticated
        }
    }

    func authenticate(_ asked: Authentication, receivedUs: Microseconds) {
        guard let introduction, let deviceRegistry = companion.ports.devices else {
            return end(.malformed, "The first message must be hello.")
        }
        let proof = DeviceProof(
            binding: introduction.binding, hello: introduction.helloBytes, challenge: introduction.challengeBytes, nonce: asked.nonce,
            deviceRegistry.cryptography)
        do throws(ProtocolFault) {
            try deviceRegistry.mayTry(asked.device, from: address)
            let (device, key) = try deviceRegistry.authenticate(asked, proof)
            guard companion.subscribers.count(of: device.id) < companion.limits.connectionsPerDevice else {
                refuse(
                    ProtocolFault(.busy, "This device has \(companion.limits.connectionsPerDevice) connections already, which is the most.")
                )
                return end(.overloaded, "This device has too many connections.")
            }
            grant = Grant(of: device, address: grant.address)
            deviceRegistry.noteActivity(of: device.id)
            self.introduction = nil
            welcome(introduction.hello, receivedUs: receivedUs, mac: proof.mac(of: .hub, key: key))
        } catch {
            if error.code != .rateLimited { deviceRegistry.failed(asked.device, from: address, showing: nil) }
            refuse(error)
            end(Self.closing(after: error), error.sentence)
        }
    }
}
