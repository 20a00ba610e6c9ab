import BatonClient
package import BatonProtocol
package import BatonSeams
import BatonWire
package import Crypto

/// A device at the hub's encrypted door, as `Protocol/` describes it: it says hello, is challenged,
/// pairs with a code or shows its key.
@Loop
package final class PairedDevice {
    package let remote: TestRemote
    package let hello: [UInt8]
    package let openSSL = OpenSSL()
    package let client: String
    package var exporter: [UInt8]
    package private(set) var challenge: Challenge!
    private var challengeBytes: [UInt8] = []
    package private(set) var round: UInt32 = 0
    /// What it said last to show who it is.
    package private(set) var shown: [UInt8] = []
    package let run: String
    /// From pairing.
    package var id: DeviceID?
    package var key: [UInt8] = []

    package init(
        at sim: SimulatedHub, client: String = "phone-1", run: String? = nil, as other: PairedDevice? = nil,
        from address: String = "127.0.0.1",
        bindsToExporter: Bool = true
    ) throws {
        self.client = client
        remote = try sim.connect(over: .tls, from: address, headers: ["host": "192.168.1.7:9443"])
        exporter = openSSL.random(32)
        remote.exporter = exporter
        id = other?.id
        key = other?.key ?? []
        self.run = run ?? "r\(exporter[0])\(exporter[1])"
        var greeting = Hello(view: "full", client: .init(id: client, run: self.run, name: "Ana phone"))
        if bindsToExporter { greeting.caps = ["cb.exp"] }
        hello = JSONWriter.bytes(greeting.encode)
        remote.send(hello)
        if let frame = remote.frames.first, case .challenge(let challenge)? = remote.messages.first {
            self.challenge = challenge
            challengeBytes = Array(frame.utf8)
        }
    }

    package var binding: ChannelBinding { challenge.binding == .exp ? .exporter(exporter) : .key(SimulatedHub.hubKey) }

    package var lastError: WireError? {
        for case .error(let error) in remote.messages.reversed() { return error }
        return nil
    }

    package var welcome: Welcome? {
        for case .welcome(let welcome) in remote.messages { return welcome }
        return nil
    }

    package func begin(_ code: String, by kind: PairBegin.Code = .pin, bytes: [UInt8]? = nil, want: Role? = nil) -> PairingDevice {
        round += 1
        let nonce = openSSL.random(16)
        let context = PairingContext(
            binding: binding, hubNonce: challenge.nonce, deviceNonce: nonce, round: round, client: client, name: "Ana phone",
            hub: challenge.hub.id)
        let exchange = PairingDevice(code: bytes ?? Array(code.utf8), context, openSSL)
        send(.begin(.init(name: "Ana phone", want: want, code: kind, nonce: nonce, ya: exchange.share)))
        // Only an attempt for which the hub has sent its share counts.
        if case .pair(.share)? = remote.messages.last {} else { round -= 1 }
        return exchange
    }

    package func send(_ message: PairMessage) { remote.send(JSONWriter.bytes(message.encode)) }

    /// Goes through all steps; the hub's refusal stays in `lastError`.
    package func pair(_ code: String, by kind: PairBegin.Code = .pin, bytes: [UInt8]? = nil, want: Role? = nil) throws {
        remote.forgetFrames()
        var exchange = begin(code, by: kind, bytes: bytes, want: want)
        guard case .pair(.share(let yb))? = remote.messages.last else { return }
        send(.prove(ta: try exchange.prove(to: yb)))
        guard case .pair(.welcome(let welcome))? = remote.messages.last else { return }
        key = try exchange.key(provedBy: welcome.tb, wrapped: welcome.wrappedKey)
        id = welcome.device
    }

    /// Shows its key; true when the hub has shown the same.
    @discardableResult
    package func authenticate(mac changed: (([UInt8]) -> [UInt8])? = nil) -> Bool {
        guard let id else { return false }
        let nonce = openSSL.random(16)
        let proof = DeviceProof(binding: binding, hello: hello, challenge: challengeBytes, nonce: nonce, openSSL)
        let mac = proof.mac(of: .client, key: key)
        shown = JSONWriter.bytes(Authentication(device: id, nonce: nonce, mac: changed?(mac) ?? mac).encode)
        remote.send(shown)
        guard let shown = welcome?.mac.flatMap(Base64URL.bytes) else { return false }
        return proof.isProof(shown, of: .hub, key: key)
    }
}

extension SimulatedHub {
    /// Opens a window as the person at the hub's machine does; its digits and its square.
    package func openWindow(_ command: Commands.PairOpen = Commands.PairOpen()) throws -> (pin: String, token: [UInt8]) {
        let owner = try remote(id: "owner-\(time.nowUs)")
        let data = owner.reply(owner.send(command, key: Keys.random()))?.data
        let link = data?["qr"]?.string ?? ""
        let token = link.split(separator: "#").last?.split(separator: "&").first.flatMap { Base64URL.bytes(String($0.dropFirst(5))) }
        owner.drop()
        return (data?["pin"]?.string ?? "", token ?? [])
    }

    /// A device that was just paired and is welcome.
    package func pairedDevice(
        _ command: Commands.PairOpen = Commands.PairOpen(), client: String = "phone-1"
    ) throws -> PairedDevice {
        let window = try openWindow(command)
        time.pass(.seconds(1))
        let device = try PairedDevice(at: self, client: client)
        try device.pair(window.pin)
        device.authenticate()
        return device
    }
}

extension Reply.Outcome {
    package var error: WireError? { if case .failed(let error) = self { error } else { nil } }
}
