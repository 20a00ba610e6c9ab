import BatonProtocol
import Crypto
import Foundation
import Testing

/// The vectors in `Protocol/vectors` that concern keys: every step of a pairing and of a proof, with OpenSSL below.
@Suite struct VectorTests {
    private let openSSL = OpenSSL()
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Protocol/vectors/v1")

    private struct File<Case: Decodable>: Decodable {
        let cases: [Case]
        let refused: [Share]?
        let rotated: [Rotation]?
    }

    private static func file<Case: Decodable>(_ name: String, of _: Case.Type) throws -> File<Case> {
        try JSONDecoder().decode(File<Case>.self, from: Data(contentsOf: folder.appending(path: "\(name).json")))
    }

    /// Bytes in hexadecimal.
    struct Hex: Decodable, Sendable {
        let bytes: [UInt8]

        init(from decoder: any Decoder) throws {
            let text = Array(try decoder.singleValueContainer().decode(String.self))
            bytes = stride(from: 0, to: text.count - 1, by: 2).compactMap { UInt8(String(text[$0...$0 + 1]), radix: 16) }
            guard bytes.count * 2 == text.count else { throw NotHex() }
        }

        private struct NotHex: Error {}
    }

    private static func binding(_ kind: String, _ channel: Hex) -> ChannelBinding {
        kind == "exp" ? .exporter(channel.bytes) : .key(channel.bytes)
    }

    // MARK: Proofs

    struct Proof: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let cb: String
        let channel: Hex
        let binding: Hex
        let hello: String
        let challenge: String
        let words: Hex
        let nonce: Hex
        let covered: Hex
        let key: Hex
        let macClient: Hex
        let macHub: Hex
        var testDescription: String { name }
    }

    @Test(arguments: try file("auth", of: Proof.self).cases) func `a proof is its vector's, step by step`(vector: Proof) {
        let binding = Self.binding(vector.cb, vector.channel)
        let (hello, challenge) = (Array(vector.hello.utf8), Array(vector.challenge.utf8))
        #expect(binding.bytes(openSSL) == vector.binding.bytes)
        #expect(openSSL.sha256(hello + challenge) == vector.words.bytes)
        #expect(vector.binding.bytes + vector.words.bytes + vector.nonce.bytes == vector.covered.bytes)

        let proof = DeviceProof(binding: binding, hello: hello, challenge: challenge, nonce: vector.nonce.bytes, openSSL)

        #expect(proof.mac(of: .client, key: vector.key.bytes) == vector.macClient.bytes)
        #expect(proof.mac(of: .hub, key: vector.key.bytes) == vector.macHub.bytes)
    }

    // MARK: Pairing

    struct Exchange: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let code: Hex
        let cb: String
        let channel: Hex
        let hubNonce: Hex
        let deviceNonce: Hex
        let round: UInt32
        let client: String
        let deviceName: String
        let hub: String
        let ci: Hex
        let sid: Hex
        let ada: Hex
        let adb: Hex
        let generatorString: Hex
        let generator: Hex
        let a: Hex
        let b: Hex
        let ya: Hex
        let yb: Hex
        let secret: Hex
        let transcript: Hex
        let isk: Hex
        let macKey: Hex
        let ta: Hex
        let tb: Hex
        let wrappingKey: Hex
        let key: Hex
        let wk: Hex
        var testDescription: String { name }

        var context: PairingContext {
            PairingContext(
                binding: VectorTests.binding(cb, channel), hubNonce: hubNonce.bytes, deviceNonce: deviceNonce.bytes, round: round,
                client: client, name: deviceName, hub: hub)
        }
    }

    @Test(arguments: try file("pairing", of: Exchange.self).cases) func `each step of a pairing is its vector's`(v: Exchange) {
        let cpace = CPace(openSSL)
        #expect(CPace.joined(Array(v.client.utf8), Array(v.deviceName.utf8)) == v.ada.bytes)
        #expect(CPace.joined(Array(v.hub.utf8)) == v.adb.bytes)
        #expect(CPace.generatorString(prs: v.code.bytes, ci: v.ci.bytes, sid: v.sid.bytes) == v.generatorString.bytes)
        #expect(cpace.generator(prs: v.code.bytes, ci: v.ci.bytes, sid: v.sid.bytes) == v.generator.bytes)
        #expect(cpace.multiply(v.a.bytes, v.generator.bytes) == v.ya.bytes)
        #expect(cpace.multiply(v.b.bytes, v.generator.bytes) == v.yb.bytes)
        #expect(cpace.multiply(v.a.bytes, v.yb.bytes) == v.secret.bytes)
        let transcript = CPace.transcript(ya: v.ya.bytes, ada: v.ada.bytes, yb: v.yb.bytes, adb: v.adb.bytes)
        #expect(transcript == v.transcript.bytes)
        #expect(cpace.sessionKey(sid: v.sid.bytes, secret: v.secret.bytes, transcript: transcript) == v.isk.bytes)
        #expect(openSSL.sha512(Array("CPaceMac".utf8) + v.sid.bytes + v.isk.bytes) == v.macKey.bytes)
        #expect(cpace.tag(sid: v.sid.bytes, sessionKey: v.isk.bytes, share: v.ya.bytes, ad: v.ada.bytes) == v.ta.bytes)
        #expect(cpace.tag(sid: v.sid.bytes, sessionKey: v.isk.bytes, share: v.yb.bytes, ad: v.adb.bytes) == v.tb.bytes)
        #expect(openSSL.hkdfSHA256(v.isk.bytes, salt: v.sid.bytes, info: Array("baton-wrap".utf8), count: 32) == v.wrappingKey.bytes)
        #expect(openSSL.seal(v.key.bytes, key: v.wrappingKey.bytes, nonce: [UInt8](repeating: 0, count: 12)) == v.wk.bytes)
    }

    /// The same by the values that the satellite and the hub use, which make all of that by themselves.
    @Test(arguments: try file("pairing", of: Exchange.self).cases) func `device and hub say what the vector says`(v: Exchange) throws {
        var device = PairingDevice(code: v.code.bytes, v.context, Dealt(v.a.bytes))
        let hub = try PairingHub(code: v.code.bytes, ya: device.share, v.context, Dealt(v.b.bytes))
        #expect((device.share, hub.share) == (v.ya.bytes, v.yb.bytes))

        let ta = try device.prove(to: hub.share)
        let (tb, wrapped) = try hub.welcome(ta, key: v.key.bytes)

        #expect(ta == v.ta.bytes && tb == v.tb.bytes && wrapped == v.wk.bytes)
        #expect(try device.key(provedBy: tb, wrapped: wrapped) == v.key.bytes)
    }

    struct Share: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let share: String
        var testDescription: String { name }
    }

    @Test(arguments: try file("pairing", of: Exchange.self).refused ?? []) func `a share that no honest side sends ends it`(refused: Share)
        throws
    {
        let v = try #require(try Self.file("pairing", of: Exchange.self).cases.first)
        var device = PairingDevice(code: v.code.bytes, v.context, Dealt(v.a.bytes))
        let share =
            refused.share == "own" ? device.share : try JSONDecoder().decode(Hex.self, from: Data("\"\(refused.share)\"".utf8)).bytes

        #expect(throws: PairingFault.badShare) { try device.prove(to: share) }
    }

    struct Rotation: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let old: Hex
        let salt: Hex
        let wrappingKey: Hex
        let key: Hex
        let wk: Hex
        var testDescription: String { name }
    }

    @Test(arguments: try file("pairing", of: Exchange.self).rotated ?? []) func `a new key is wrapped under the old one`(v: Rotation) {
        #expect(openSSL.hkdfSHA256(v.old.bytes, salt: v.salt.bytes, info: Array("baton-rotate".utf8), count: 32) == v.wrappingKey.bytes)
        #expect(openSSL.open(v.wk.bytes, key: v.wrappingKey.bytes, nonce: [UInt8](repeating: 0, count: 12)) == v.key.bytes)
    }
}

/// OpenSSL, but for chance: the random numbers are the vector's.
private struct Dealt: Cryptography {
    private let openSSL = OpenSSL()
    private let number: [UInt8]

    init(_ number: [UInt8]) { self.number = number }

    func random(_ count: Int) -> [UInt8] { Array(number.prefix(count)) }
    func sha256(_ bytes: [UInt8]) -> [UInt8] { openSSL.sha256(bytes) }
    func sha512(_ bytes: [UInt8]) -> [UInt8] { openSSL.sha512(bytes) }
    func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] { openSSL.hmacSHA256(bytes, key: key) }
    func hmacSHA512(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] { openSSL.hmacSHA512(bytes, key: key) }
    func x25519(scalar: [UInt8], point: [UInt8]) -> [UInt8]? { openSSL.x25519(scalar: scalar, point: point) }
    func seal(_ plain: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] { openSSL.seal(plain, key: key, nonce: nonce) }
    func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8]? { openSSL.open(sealed, key: key, nonce: nonce) }
}
