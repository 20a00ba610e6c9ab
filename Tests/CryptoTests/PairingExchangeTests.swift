import BatonProtocol
import Crypto
import Testing

/// Both sides of a pairing, and who stands between them. BT-PAIR-001 BT-PAIR-002 BT-PAIR-003
@Suite struct PairingExchangeTests {
    private let openSSL = OpenSSL()
    private let code = Array("483920".utf8)
    private let key = [UInt8](repeating: 7, count: 32)
    private var context: PairingContext {
        PairingContext(
            binding: .exporter([UInt8](repeating: 1, count: 32)), hubNonce: [UInt8](repeating: 2, count: 16),
            deviceNonce: [UInt8](repeating: 3, count: 16), round: 1, client: "k3Jr0vYx2mQ", name: "Ana watch", hub: "7Qm2k0Vx")
    }

    /// The whole exchange with each side's idea of code and surroundings; the key the device ends with.
    private func pair(device: ([UInt8], PairingContext), hub: ([UInt8], PairingContext)) throws(PairingFault) -> [UInt8] {
        var asking = PairingDevice(code: device.0, device.1, openSSL)
        let answering = try PairingHub(code: hub.0, ya: asking.share, hub.1, openSSL)
        let ta = try asking.prove(to: answering.share)
        let (tb, wrapped) = try answering.welcome(ta, key: key)
        return try asking.key(provedBy: tb, wrapped: wrapped)
    }

    @Test func `who knows the code gets the key`() throws {
        #expect(try pair(device: (code, context), hub: (code, context)) == key)
    }

    @Test func `a wrong code is found out by the hub before it has proved anything`() {
        #expect(throws: PairingFault.wrongCode) { try pair(device: (Array("483921".utf8), context), hub: (code, context)) }
    }

    @Test func `a relay between two connections is detected, and so is every other difference`() {
        var others: [PairingContext] = []
        for change in [
            { $0.binding = .exporter([UInt8](repeating: 9, count: 32)) }, { $0.binding = .key([UInt8](repeating: 1, count: 32)) },
            { $0.hubNonce[0] = 9 }, { $0.deviceNonce[0] = 9 }, { $0.round = 2 }, { $0.client = "somebody" }, { $0.name = "Eve" },
            { $0.hub = "other" },
        ] as [(inout PairingContext) -> Void] {
            var other = context
            change(&other)
            others.append(other)
        }
        for other in others {
            #expect(throws: PairingFault.wrongCode) { try pair(device: (code, context), hub: (code, other)) }
        }
    }

    @Test(arguments: CPaceVectors.points.indices.filter { CPaceVectors.points[$0].product == nil })
    func `a share of low order ends it on either side`(index: Int) {
        let share = CPaceVectors.points[index].point
        #expect(throws: PairingFault.badShare) { try PairingHub(code: code, ya: share, context, openSSL) }
        #expect(throws: PairingFault.badShare) {
            var device = PairingDevice(code: code, context, openSSL)
            _ = try device.prove(to: share)
        }
    }

    @Test func `a share that comes back is refused, and so is one of another length`() {
        var device = PairingDevice(code: code, context, openSSL)
        let own = device.share
        #expect(throws: PairingFault.badShare) { try device.prove(to: own) }
        #expect(throws: PairingFault.badShare) { try PairingHub(code: code, ya: Array(own.dropLast()), context, openSSL) }
    }

    @Test func `a hub that does not prove itself gives no key`() throws {
        var device = PairingDevice(code: code, context, openSSL)
        let hub = try PairingHub(code: code, ya: device.share, context, openSSL)
        var (tb, wrapped) = try hub.welcome(try device.prove(to: hub.share), key: key)
        tb[0] ^= 1
        #expect(throws: PairingFault.wrongCode) { try device.key(provedBy: tb, wrapped: wrapped) }
        tb[0] ^= 1
        wrapped[0] ^= 1
        #expect(throws: PairingFault.wrongCode) { try device.key(provedBy: tb, wrapped: wrapped) }
    }

    @Test func `a proof counts for its side, connection, words and key only`() {
        let proof = DeviceProof(binding: context.binding, hello: [1], challenge: [2], nonce: [3], openSSL)
        let mac = proof.mac(of: .client, key: key)

        #expect(proof.isProof(mac, of: .client, key: key))
        #expect(!proof.isProof(mac, of: .hub, key: key))
        #expect(!proof.isProof(mac, of: .client, key: openSSL.random(32)))
        let others = [
            DeviceProof(binding: .key([0]), hello: [1], challenge: [2], nonce: [3], openSSL),
            DeviceProof(binding: context.binding, hello: [9], challenge: [2], nonce: [3], openSSL),
            DeviceProof(binding: context.binding, hello: [1], challenge: [9], nonce: [3], openSSL),
            DeviceProof(binding: context.binding, hello: [1], challenge: [2], nonce: [9], openSSL),
        ]
        for other in others { #expect(!other.isProof(mac, of: .client, key: key)) }
    }
}
