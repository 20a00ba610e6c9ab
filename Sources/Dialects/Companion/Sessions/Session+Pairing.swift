import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// Pairing of a device: the hub's side of the exchange. A wrong code is reported, and may be followed by another attempt on the same
/// connection, as far as the window allows.
extension Session {
    func pair(_ message: PairMessage) {
        guard introduction != nil, let deviceRegistry = companion.ports.devices else {
            return end(.malformed, "The first message must be hello.")
        }
        do throws(ProtocolFault) {
            switch message {
            case .begin(let begin): try beginPairing(begin, deviceRegistry)
            case .prove(let ta): try finishPairing(ta, deviceRegistry)
            case .share, .welcome: end(.malformed, "These steps of pairing are the hub's.")
            }
        } catch {
            abandonPairing()
            refuse(error)
        }
    }

    private func beginPairing(_ begin: PairBegin, _ deviceRegistry: any DeviceAccess) throws(ProtocolFault) {
        abandonPairing()
        guard var introduction else { return }
        // From the first attempt on, whatever follows: else one client could stay for as long as it goes on trying.
        let endUs = introduction.pairingEndUs ?? companion.reactor.nowUs + Microseconds(companion.limits.pairWithinMs)
        introduction.pairingEndUs = endUs
        self.introduction = introduction
        deadlineUs = endUs
        let window = try deviceRegistry.beginAttempt(id)
        let context = PairingContext(
            binding: introduction.binding, hubNonce: introduction.nonce, deviceNonce: begin.nonce, round: introduction.attempts + 1,
            client: introduction.hello.client.id, name: begin.name, hub: companion.ports.identity.id)
        let exchange: PairingHub
        do throws(PairingFault) {
            exchange = try PairingHub(code: window.code(begin.code), ya: begin.ya, context, deviceRegistry.cryptography)
        } catch {
            deviceRegistry.withdrawAttempt(id)
            throw ProtocolFault(.badRequest, "ya is no share that an honest device would send.", at: "/ya")
        }
        // Counted before the share is sent, so that dropping the connection from here on costs an attempt.
        try deviceRegistry.countAttempt(id)
        introduction.attempts += 1
        introduction.pairing = Pairing(exchange: exchange, begin: begin, window: window)
        self.introduction = introduction
        send(.encoding { PairMessage.share(yb: exchange.share).encode(into: &$0) })
    }

    private func finishPairing(_ ta: [UInt8], _ deviceRegistry: any DeviceAccess) throws(ProtocolFault) {
        guard let pairing = introduction?.pairing else { return end(.malformed, "Pairing begins with step 1.") }
        introduction?.pairing = nil
        let key = deviceRegistry.cryptography.random(DeviceProof.keyBytes)
        let proof: (tb: [UInt8], wrapped: [UInt8])
        do throws(PairingFault) { proof = try pairing.exchange.welcome(ta, key: key) } catch {
            deviceRegistry.failAttempt(id)
            throw Self.wrongCode(deviceRegistry)
        }
        let role = min(pairing.window.role, pairing.begin.want ?? pairing.window.role)
        let device = try deviceRegistry.admit(id, name: pairing.begin.name, role: role, as: .key(key, next: nil), pairing.window)
        deadlineUs = companion.reactor.nowUs + Microseconds(companion.limits.authWithinMs)
        let welcome = PairWelcome(tb: proof.tb, device: device.id, wrappedKey: proof.wrapped, role: device.role)
        send(.encoding { PairMessage.welcome(welcome).encode(into: &$0) })
    }

    /// The error for a wrong code, with the number of attempts left.
    static func wrongCode(_ deviceRegistry: any DeviceAccess) -> ProtocolFault {
        guard let left = deviceRegistry.window?.attemptsLeft, left > 0 else {
            return ProtocolFault(.pinWrong, "The code is wrong, and it was the last try. Open another window: baton pair --open")
        }
        return ProtocolFault(.pinWrong, "The code is wrong. \(left == 1 ? "One more try is" : "\(left) more tries are") left.")
    }

    /// Called when a share was sent but the pairing failed.
    func abandonPairing() {
        guard introduction?.pairing != nil else { return }
        introduction?.pairing = nil
        companion.ports.devices?.failAttempt(id)
    }
}
