import BatonCore
import BatonProtocol
import BatonWire

/// The exchange from `hello` to `welcome` on a new channel.
///
/// On a channel that is not local both sides prove their identity: the client answers the challenge with its credential, and
/// `welcome` carries the proof of the hub.
struct Greeting: Sendable {
    let plan: HubConnection.Plan
    let channel: any Channel

    func run(atUs: Microseconds) async throws -> Welcome {
        var hello = plan.hello
        hello.t1 = atUs.count
        if channel.security?.exporter != nil { hello.caps.append("cb.exp") }
        let said = JSONWriter.bytes(hello.encode)
        channel.send(said)
        var proof: (of: DeviceProof, with: Credential)?
        for await text in channel.messages {
            switch try HubMessage.decode(text) {
            case .challenge(let challenge): proof = try answer(challenge, text, hello: said)
            case .welcome(let welcome):
                try check(welcome, proof)
                return welcome
            case .error(let error): throw error
            default: throw ConnectFault(.strange, "\(plan.endpoint) did not greet as a hub does.")
            }
        }
        throw await channel.closed()
    }

    /// Answers the hub's challenge with the client's proof.
    private func answer(
        _ challenge: Challenge, _ text: [UInt8], hello: [UInt8]
    ) throws(ConnectFault) -> (of: DeviceProof, with: Credential) {
        guard let security = channel.security else {
            throw ConnectFault(.strange, "\(plan.endpoint) asks who this is on a connection that is not encrypted.")
        }
        guard let credential = plan.credential else {
            throw ConnectFault(.notPaired, "This machine is not paired with “\(challenge.hub.name)”. Pair it: baton pair \(plan.endpoint)")
        }
        let nonce = credential.cryptography.random(DeviceProof.nonceBytes)
        let proof = DeviceProof(
            binding: try ChannelBinding(challenge.binding, security), hello: hello, challenge: text, nonce: nonce, credential.cryptography)
        let mac = proof.mac(of: .client, key: credential.key)
        channel.send(JSONWriter.bytes(Authentication(device: credential.device, nonce: nonce, mac: mac).encode))
        return (proof, credential)
    }

    /// Checks the hub's proof before the client uses its messages; required over TLS.
    private func check(_ welcome: Welcome, _ proof: (of: DeviceProof, with: Credential)?) throws(ConnectFault) {
        guard plan.endpoint.isSecure else { return }
        guard let proof, let mac = welcome.mac.flatMap(Base64URL.bytes), proof.of.isProof(mac, of: .hub, key: proof.with.key) else {
            throw ConnectFault(.otherKey, "\(plan.endpoint) could not show that it is the hub this machine was paired with.")
        }
    }
}

extension Channel {
    /// Closes the channel once its messages have ended, because the other side may still be connected. Returns how it
    /// ended.
    func closed() async -> ConnectFault {
        close(CloseCode.normal.rawValue)
        let ending = await ending()
        return ConnectFault(.ended(code: ending.code), ending.sentence.isEmpty ? "The hub ended the connection." : ending.sentence)
    }
}
