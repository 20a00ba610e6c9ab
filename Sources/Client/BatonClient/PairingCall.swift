public import BatonProtocol
import BatonWire

/// The client's side of a pairing: it connects, greets, and runs the four steps. The hub's key is taken from the
/// connection, and the code proves that it belongs to the hub.
public struct PairingCall: Sendable {
    /// The result of a pairing, to be stored.
    public struct Result: Sendable {
        /// The hub's id, which stays the same when its name or address changes.
        public var hub: String
        /// The hub's name for people, as it was at the time of the pairing.
        public var hubName: String
        /// SHA-256 of the hub's public key, used as a pin from now on.
        public var hubKey: [UInt8]
        /// The id by which this device greets from now on.
        public var device: DeviceID
        /// The 32-byte secret that the hub made for this device; each later connection proves it.
        public var key: [UInt8]
        /// The rights that the hub granted, which may be fewer than requested.
        public var role: Role
    }

    /// The code that the hub displays, by the way it was entered.
    public enum Code: Sendable {
        /// Six digits without the dash.
        case pin(String)
        /// The token from the QR code.
        case token([UInt8])

        var bytes: [UInt8] {
            switch self {
            case .pin(let digits): Array(digits.utf8)
            case .token(let bytes): bytes
            }
        }

        var kind: PairBegin.Code {
            switch self {
            case .pin: .pin
            case .token: .qr
            }
        }
    }

    private let endpoint: Endpoint
    private let hello: Hello
    private let name: String
    private let cryptography: any Cryptography

    /// A call to an address with TLS. The name is what the hub's people will see for this device.
    public init(to endpoint: Endpoint, hello: Hello, name: String, _ cryptography: any Cryptography) {
        self.endpoint = endpoint
        self.hello = hello
        self.name = name
        self.cryptography = cryptography
    }

    /// Pairs by a code. A wrong code is thrown as `WireError`; a hub that does not prove knowledge of the code is
    /// thrown as `ConnectFault`.
    public func pair(by code: Code, wanting role: Role? = nil, over transport: any Transport) async throws -> Result {
        let channel = try await transport.connect(to: endpoint)
        defer { channel.close(CloseCode.normal.rawValue) }
        guard let security = channel.security else {
            throw ConnectFault(.strange, "Pairing needs an encrypted connection; name the hub's TLS port, such as wss://HOST:9443.")
        }
        var hello = hello
        if security.exporter != nil { hello.caps.append("cb.exp") }
        channel.send(JSONWriter.bytes(hello.encode))
        var messages = channel.messages.makeAsyncIterator()
        guard case .challenge(let challenge) = try await Self.next(&messages, channel) else { throw strange }
        return try await pair(by: code, wanting: role, answering: challenge, security: security, over: channel, messages: &messages)
    }

    private func pair(
        by code: Code, wanting role: Role?, answering challenge: Challenge, security: ChannelSecurity, over channel: any Channel,
        messages: inout AsyncStream<[UInt8]>.Iterator
    ) async throws -> Result {
        let nonce = cryptography.random(DeviceProof.nonceBytes)
        let context = PairingContext(
            binding: try ChannelBinding(challenge.binding, security), hubNonce: challenge.nonce, deviceNonce: nonce, round: 1,
            client: hello.client.id, name: name, hub: challenge.hub.id)
        var device = PairingDevice(code: code.bytes, context, cryptography)
        let begin = PairBegin(name: name, want: role, code: code.kind, nonce: nonce, ya: device.share)
        channel.send(JSONWriter.bytes(PairMessage.begin(begin).encode))
        guard case .pair(.share(let yb)) = try await Self.next(&messages, channel) else { throw strange }
        do {
            channel.send(JSONWriter.bytes(PairMessage.prove(ta: try device.prove(to: yb)).encode))
            guard case .pair(.welcome(let welcome)) = try await Self.next(&messages, channel) else { throw strange }
            let key = try device.key(provedBy: welcome.tb, wrapped: welcome.wrappedKey)
            return Result(
                hub: challenge.hub.id, hubName: challenge.hub.name, hubKey: security.hubKey, device: welcome.device, key: key,
                role: welcome.role)
        } catch is PairingFault {
            throw ConnectFault(
                .otherKey, "\(endpoint) does not know the code itself: somebody else may be answering there. Nothing was kept.")
        }
    }

    private var strange: ConnectFault { ConnectFault(.strange, "\(endpoint) did not pair as a hub does.") }

    private static func next(_ messages: inout AsyncStream<[UInt8]>.Iterator, _ channel: any Channel) async throws -> HubMessage {
        guard let text = await messages.next() else {
            channel.close(CloseCode.normal.rawValue)
            let ending = await channel.ending()
            throw ConnectFault(.ended(code: ending.code), ending.sentence.isEmpty ? "The hub ended the connection." : ending.sentence)
        }
        let message = try HubMessage.decode(text)
        if case .error(let error) = message { throw error }
        return message
    }
}
