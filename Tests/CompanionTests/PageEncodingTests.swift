import BatonSeams
import Harness
import Testing
import WebRemote

@testable import Companion

@Suite struct `The page is sent compressed to clients that read gzip` {
    @Test(arguments: [
        ("gzip", true), ("br, gzip;q=0.8", true), ("GZIP", true), ("x-gzip", true), ("gzip; q=0", false), ("gzip;q=0.000", false),
        ("br", false),
        ("identity", false), ("", false), ("gzipped", false),
    ])
    func `a client reads gzip when it names it`(header: String, takes: Bool) {
        #expect(RequestRouter.takesGzip(header) == takes)
    }

    @Loop
    private func get(_ path: String, _ sim: SimulatedHub, _ headers: [String: String] = [:]) async -> HTTPResponse {
        await sim.router.respond(
            to: HTTPRequest(
                method: .get, path: path, query: [], headers: headers, peer: Peer(channel: .unix(uid: 0, gid: 0), address: "unix")))
    }

    @Test func `each form has its own tag, and a cached form is confirmed by it alone`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let packed = await get("/", sim, ["accept-encoding": "gzip"]), plain = await get("/", sim)
            let tags = [packed, plain].map { answer in answer.headers.first { $0.name == "etag" }?.value }

            #expect(
                packed.headers.contains { $0 == ("content-encoding", "gzip") } && !plain.headers.contains { $0.name == "content-encoding" })
            #expect(
                packed.headers.contains { $0 == ("vary", "accept-encoding") }
                    && plain.headers.contains { $0 == ("vary", "accept-encoding") })
            #expect(try #require(packed.length) < #require(plain.length) / 2)
            #expect(tags[0] != tags[1])
            let gzipTag = try #require(tags[0])
            #expect(await get("/", sim, ["accept-encoding": "gzip", "if-none-match": gzipTag]).status == 304)
            #expect(await get("/", sim, ["if-none-match": gzipTag]).status == 200)
        }
    }

    @Test func `a picture is sent as it is`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let icon = await get("/page/\(WebRemote.version)/icon-192.png", sim, ["accept-encoding": "gzip"])

            #expect(icon.status == 200 && !icon.headers.contains { $0.name == "content-encoding" || $0.name == "vary" })
        }
    }
}
