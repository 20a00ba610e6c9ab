import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

/// What becomes of those who try keys, and of those who have the right one meanwhile. BT-HS-016 BT-HTTP-010 BT-LIM-013
@Suite struct `Wrong keys` {
    @Test func `are slowed down by their address, and told how long to wait`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            var answers: [String?] = []
            for _ in 0..<12 { answers.append(try Self.attempt(at: sim, from: "10.0.0.66").lastError?.code) }
            #expect(answers == Array(repeating: "unauthorized", count: 10) + ["rate_limited", "rate_limited"])

            let refused = try Self.attempt(at: sim, from: "10.0.0.66")
            #expect(refused.remote.closed?.code == 4429 && refused.lastError?.afterMs == 6_001)
            sim.time.pass(.milliseconds(6_001))
            #expect(try Self.attempt(at: sim, from: "10.0.0.66").lastError?.code == "unauthorized")
            #expect(try Self.attempt(at: sim, from: "10.0.0.66").lastError?.code == "rate_limited")
        }
    }

    @Test func `do not keep the right one out, from another address or from the same`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let phone = try sim.pairedDevice()
            for _ in 0..<30 { _ = try Self.attempt(at: sim, from: "10.0.0.66") }
            for last in 1...150 { _ = try Self.attempt(at: sim, from: "10.0.\(last).66") }
            #expect(try Self.attempt(at: sim, from: "10.9.9.9").lastError?.code == "rate_limited", "all together are slowed down too")

            for address in ["10.0.0.7", "10.0.0.66"] {
                let again = try PairedDevice(at: sim, client: "phone-\(address.suffix(1))", as: phone, from: address)
                #expect(again.authenticate() && again.remote.closed == nil, "\(address)")
                again.remote.drop()
            }
        }
    }

    @Test func `for a device that is known are counted for it there, and nowhere else`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let phone = try sim.pairedDevice()
            phone.remote.drop()
            var codes: [UInt16?] = []
            for _ in 0..<12 {
                let forged = try PairedDevice(at: sim, as: phone, from: "10.0.0.66")
                forged.authenticate { mac in [mac[0] ^ 1] + mac.dropFirst() }
                codes.append(forged.remote.closed?.code)
            }
            #expect(codes == Array(repeating: 4401, count: 10) + [4429, 4429])

            let there = try PairedDevice(at: sim, as: phone, from: "10.0.0.66")
            #expect(!there.authenticate())
            let elsewhere = try PairedDevice(at: sim, as: phone, from: "10.0.0.7")
            #expect(elsewhere.authenticate())
        }
    }

    @Test func `cost no handshake any more once there were too many`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let (there, elsewhere) = (Peer(channel: .tls, address: "10.0.0.66"), Peer(channel: .tls, address: "10.0.0.7"))
            for _ in 0..<10 { _ = try Self.attempt(at: sim, from: "10.0.0.66") }

            #expect((0..<100).count { _ in sim.router.receives(there) } == 3)
            #expect((0..<100).allSatisfy { _ in sim.router.receives(elsewhere) })
            sim.time.pass(.seconds(1))
            #expect((0..<100).count { _ in sim.router.receives(there) } == 1)
            sim.time.pass(.seconds(6))
            #expect((0..<100).allSatisfy { _ in sim.router.receives(there) })
        }
    }

    @Test func `over HTTP are slowed down too, and the same old cookie again and again is not a guess`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let phone = try sim.pairedDevice()
            @Loop func get(_ name: String, _ value: String) async -> HTTPResponse {
                await sim.router.respond(
                    to: HTTPRequest(
                        method: .get, path: "/baton/state", headers: ["host": "192.168.1.7:9443", name: value],
                        peer: Peer(channel: .tls, address: "10.0.0.66")))
            }
            for _ in 0..<50 { #expect(await get("cookie", "__Host-baton=old").status == 401) }
            for number in 0..<9 {
                #expect(
                    await get(
                        number % 2 == 0 ? "cookie" : "authorization", number % 2 == 0 ? "__Host-baton=\(number)" : "Bearer d_x.\(number)"
                    ).status == 401)
            }
            let refused = await get("authorization", "Bearer d_x.another")
            #expect(refused.status == 429 && refused.headers.contains { $0 == ("retry-after", "7") })
            #expect(await get("cookie", "__Host-baton=another").status == 429)

            let right = Credential(device: try #require(phone.id), key: phone.key, cryptography: phone.openSSL).bearer.value
            #expect(await get("authorization", right).status == 200)
        }
    }

    /// BT-HTTP-007 BT-HTTP-017
    @Test func `what a bearer shows follows from the key, opens no WebSocket and makes no secret`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let phone = try sim.pairedDevice(Commands.PairOpen(role: .admin))
            let id = try #require(phone.id)
            let bearer = Credential(device: id, key: phone.key, cryptography: phone.openSSL).bearer.value
            @Loop func ask(_ method: HTTPRequest.Method, _ path: String, _ value: String, _ body: String = "") async -> Int {
                await sim.router.respond(
                    to: HTTPRequest(
                        method: method, path: path, headers: ["host": "192.168.1.7:9443", "authorization": value], body: Array(body.utf8),
                        peer: Peer(channel: .tls, address: "10.0.0.66"))
                ).status
            }

            #expect(await ask(.get, "/baton/state", bearer) == 200)
            #expect(await ask(.get, "/baton/state", "Bearer \(id.text).\(Base64URL.text(phone.key))") == 401)
            #expect(await ask(.post, "/baton/cmd", bearer, Commands.Devices().frameText()) == 200)
            #expect(await ask(.post, "/baton/cmd", bearer, Commands.PairOpen().frameText(key: "open-1")) == 403)
            #expect(sim.hub.deviceRegistry?.window == nil)
            let other = try sim.connect(over: .tls, headers: ["host": "192.168.1.7:9443", "authorization": bearer])
            other.send(phone.hello)
            guard case .challenge? = other.messages.first else { return #expect(Bool(false), "\(other.frames)") }
        }
    }

    // MARK: The limiter

    @Test func `are remembered of so many addresses and no more`() {
        var limiter = ProofLimiter(ProofLimiter.Limits(), atUs: 0)
        for number in 0..<100_000 { limiter.fail("2001:db8:\(String(number, radix: 16))::1", nil, shown: nil, atUs: Microseconds(number)) }

        #expect(limiter.sourceCount <= ProofLimiter.mostSources)
        #expect(limiter.wait("10.0.0.7", nil, atUs: 100_000) != nil, "the measure for all holds")
        #expect(limiter.wait("10.0.0.7", DeviceID("d_known"), atUs: 100_000) == nil)
    }

    @Test(arguments: [
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:db8:1:2::9", "2001:db8:1:2::/64"), ("2001:db8::9", "2001:db8:0:0::/64"),
        ("::1", "0:0:0:0::/64"), ("fe80::1", "fe80::1"), ("10.0.0.7", "10.0.0.7"), ("unix", "unix"),
        ("64:ff9b::10.0.0.7", "64:ff9b::10.0.0.7"),
    ]) func `are counted by the part of an address that its owner does not choose`(address: String, group: String) {
        #expect(AddressGroup.of(address) == group)
    }

    /// A stranger that shows a key for a device that is none.
    @Loop private static func attempt(at sim: SimulatedHub, from address: String) throws -> PairedDevice {
        let stranger = try PairedDevice(at: sim, from: address)
        stranger.id = DeviceID("d_nobody")
        stranger.key = [UInt8](repeating: 7, count: 32)
        stranger.authenticate()
        return stranger
    }
}
