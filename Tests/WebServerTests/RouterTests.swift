import BatonSeams
import EventLoop
import Foundation
import SocketPeers
import Testing
import Threads
import WebClient

@testable import SocketServer

/// Registered routes, over real sockets: which one answers, and what is refused before any of them hears of it.
@Suite(.loop) struct RouterTests {
    /// Lets in peers by a header of theirs, and counts how often it was asked.
    @Loop
    private final class Guard: Admission {
        private(set) var asked: [Audience] = []

        func receives(_ peer: Peer) -> Bool { true }

        func admit(_ request: HTTPRequest, to audience: Audience, forUpgrade: Bool) -> Admitted {
            asked.append(audience)
            if audience != .everyone, request.headers["origin"] == "http://evil.example" {
                return .refused(.sentence(403, "Not from there."))
            }
            let name = request.headers["authorization"]
            return .visitor(
                Grant(role: .remote, trust: .itemsOnly, address: request.peer.address, scope: name ?? "", needsProof: name == nil))
        }
    }

    @Loop
    private func withRoutes(
        _ register: @Loop (inout Routes) -> Void, _ body: @Loop (Guard, String, UInt16) async throws -> Void
    ) async throws {
        var routes = Routes()
        register(&routes)
        let admission = Guard()
        let server = Server(try await EventLoop.background(), reception: Router(admission, routes))
        let port = try server.listen(tcp: "127.0.0.1", port: 0)
        do { try await body(admission, "http://127.0.0.1:\(port)", port) } catch {
            await server.close()
            throw error
        }
        await server.close()
    }

    private func said(_ text: String) -> HTTPResponse { .sentence(200, text) }

    @Test @Loop func `an exact path wins over a named part, that over a prefix, and the longer prefix over the shorter`() async throws {
        try await withRoutes { routes in
            routes.add([.get], .prefix("/"), for: .visitors) { _, _ in said("root") }
            routes.add([.get], .prefix("/rooms/"), for: .visitors) { _, _ in said("below rooms") }
            routes.add([.get], .named("/rooms/{room}/queue"), for: .visitors) { request, _ in
                said("queue of \(request.parts["room"] ?? "")")
            }
            routes.add([.get], .exact("/rooms/main/queue"), for: .visitors) { _, _ in said("main queue") }
        } _: { _, url, _ async throws in
            let paths = ["/x", "/rooms/a", "/rooms/a%20b/queue", "/rooms/main/queue", "/rooms//queue", "/rooms/a/b/queue"]
            let answers = try await paths.asyncMap { try await curl(url + $0) }

            #expect(answers == ["root\n", "below rooms\n", "queue of a b\n", "main queue\n", "below rooms\n", "below rooms\n"])
        }
    }

    @Test(arguments: ["PUT", "PATCH", "DELETE"]) @Loop func `the methods of HTTP that change something reach their routes`(method: String)
        async throws
    {
        try await withRoutes { routes in
            routes.add([.put, .patch, .delete], .exact("/thing"), for: .visitors) { request, _ in
                said("\(request.method.rawValue) \(String(decoding: request.body, as: UTF8.self))")
            }
        } _: { _, url, _ async throws in
            #expect(try await curl("-X", method, "-d", "body", url + "/thing") == "\(method) body\n")
        }
    }

    @Test(arguments: ["GET", "OPTIONS", "BREW"]) @Loop
    func `a method that a path does not have is 405 with those that it has, and no route hears of it`(method: String) async throws {
        try await withRoutes { routes in
            routes.add([.post, .put], .exact("/thing"), for: .visitors) { _, _ in said("never") }
        } _: { admission, url, _ async throws in
            let answer = try await curl("-i", "-X", method, url + "/thing")

            #expect(answer.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
            #expect(answer.contains("\r\nallow: POST, PUT\r\n") && answer.hasSuffix("Only POST and PUT are understood here.\n"))
            #expect(admission.asked.isEmpty)
        }
    }

    @Test @Loop func `a prefix does not answer for a path with other methods of its own, but for peers that it is not for`() async throws {
        try await withRoutes { routes in
            routes.add([.get, .head, .post], .prefix("/"), for: .visitors) { _, _ in said("everything else") }
            routes.add([.get], .exact("/state"), for: .proved) { _, _ in said("state") }
        } _: { _, url, _ async throws in
            let proof = "Authorization: Ada"
            let refused = try await [[], ["-X", "DELETE"]].asyncMap {
                try await output(of: "/usr/bin/curl", ["-sSi", "-d", "x", "-H", proof] + $0 + [url + "/state"])
            }

            for answer in refused { #expect(answer.hasPrefix("HTTP/1.1 405") && answer.contains("\r\nallow: GET\r\n")) }
            #expect(try await curl("-H", proof, url + "/state") == "state\n")
            #expect(try await curl("-d", "x", url + "/state") == "everything else\n")
            #expect(try await curl("-H", proof, "-d", "x", url + "/other") == "everything else\n")
        }
    }

    @Test @Loop func `a path without a route is 404 in a sentence`() async throws {
        try await withRoutes { routes in
            routes.add([.get], .exact("/a"), for: .visitors) { _, _ in said("a") }
        } _: { _, url, _ async throws in
            let answer = try await curl("-i", url + "/b")

            #expect(answer.hasPrefix("HTTP/1.1 404") && answer.hasSuffix("There is nothing at this address.\n"))
        }
    }

    @Test @Loop func `a body over a route's own bound is 413 before it was read, and one within another route's is taken`() async throws {
        try await withRoutes { routes in
            routes.add([.post], .exact("/small"), for: .visitors, bodyBytes: 10) { request, _ in said("\(request.body.count)") }
            routes.add([.post], .exact("/large"), for: .visitors, bodyBytes: 1 << 20) { request, _ in said("\(request.body.count)") }
        } _: { _, url, port async throws in
            let much = String(repeating: "x", count: 200_000)
            let file = try temporaryPath("body")
            try Data(much.utf8).write(to: URL(filePath: file))

            #expect(try await curl("-d", "0123456789", url + "/small") == "10\n")
            let refused = RawPeer(port: port)
            try await refused.say("POST /small HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n")
            let answer = try await refused.text(until: "body.\n")
            #expect(answer.hasPrefix("HTTP/1.1 413") && answer.hasSuffix("A request may have at most 10 bytes of body.\n"))
            #expect(try await curl("--data-binary", "@" + file, url + "/large") == "200000\n")
        }
    }

    @Test @Loop func `a header that a route needs is kept for it, and its absence is 400`() async throws {
        try await withRoutes { routes in
            routes.add([.get], .exact("/soap"), for: .visitors, needing: ["SOAPAction"]) { request, _ in
                said(request.headers["soapaction"] ?? "")
            }
        } _: { _, url, _ async throws in
            #expect(try await curl("-H", "SoapAction: play", url + "/soap") == "play\n")
            let answer = try await curl("-i", url + "/soap")
            #expect(answer.hasPrefix("HTTP/1.1 400") && answer.hasSuffix("A request to this address needs the header soapaction.\n"))
        }
    }

    @Test @Loop func `no route can skip admission, and each gets the visitors that it is for`() async throws {
        try await withRoutes { routes in
            routes.add([.get], .exact("/healthz"), for: .everyone) { _, _ in said("ok") }
            routes.add([.get], .exact("/"), for: .unproved) { _, _ in said("pair first") }
            routes.add([.get], .prefix("/"), for: .proved) { _, grant in said("hello \(grant.scope)") }
        } _: { admission, url, _ async throws in
            let evil = ["-H", "Origin: http://evil.example"]

            #expect(try await output(of: "/usr/bin/curl", ["-sS"] + evil + [url + "/healthz"]) == "ok\n")
            #expect(try await output(of: "/usr/bin/curl", ["-sS"] + evil + [url + "/"]) == "Not from there.\n")
            #expect(try await curl(url + "/") == "pair first\n")
            #expect(try await curl("-H", "Authorization: Ada", url + "/") == "hello Ada\n")
            #expect(try await curl(url + "/page") == "There is nothing at this address.\n")
            #expect(admission.asked.count == 5)
        }
    }

    @Test @Loop func `a route answers on its own listeners only`() async throws {
        var routes = Routes()
        routes.add([.get], .exact("/a"), for: .visitors, at: [.unix]) { _, _ in said("by file") }
        routes.add([.get], .exact("/a"), for: .visitors, at: [ListenerName("speakers")]) { _, _ in said("by port") }
        let server = Server(try await EventLoop.background(), reception: Router(Guard(), routes))
        let path = try temporaryPath()
        try server.listen(unix: path)
        let plain = try server.listen(tcp: "127.0.0.1", port: 0)
        let speakers = try server.listen(tcp: "127.0.0.1", port: 0, as: ListenerName("speakers"))

        let answers = try await [
            ["--unix-socket", path, "http://hub/a"], ["http://127.0.0.1:\(plain)/a"], ["http://127.0.0.1:\(speakers)/a"],
        ]
        .asyncMap { try await output(of: "/usr/bin/curl", ["-sS"] + $0) }
        await server.close()

        #expect(answers == ["by file\n", "There is nothing at this address.\n", "by port\n"])
    }

    @Test @Loop func `a WebSocket is opened with the route's subprotocol, or with none`() async throws {
        let host = SmallHub()
        try await withRoutes { routes in
            routes.addUpgrade(.exact("/chat"), subprotocol: "chat.v1", for: .visitors) { request, _ in host.upgrade(request) }
            routes.addUpgrade(.exact("/plain"), subprotocol: nil, for: .visitors) { request, _ in host.upgrade(request) }
        } _: { _, _, port async throws in
            let chat = RawPeer(port: port)
            try await chat.say(RawPeer.upgrade(path: "/chat", "Sec-WebSocket-Protocol: chat.v1\r\n"))
            let agreed = try await chat.text(until: "\r\n\r\n")
            let plain = RawPeer(port: port)
            try await plain.say(RawPeer.upgrade(path: "/plain", ""))
            let bare = try await plain.text(until: "\r\n\r\n")
            let other = RawPeer(port: port)
            try await other.say(RawPeer.upgrade(path: "/chat", "Sec-WebSocket-Protocol: other\r\n"))
            let refused = try await other.text()
            let lost = RawPeer(port: port)
            try await lost.say(RawPeer.upgrade(path: "/nowhere", ""))

            #expect(agreed.hasPrefix("HTTP/1.1 101") && agreed.contains("sec-websocket-protocol: chat.v1\r\n\r\n"))
            #expect(bare.hasPrefix("HTTP/1.1 101") && !bare.contains("sec-websocket-protocol"))
            #expect(refused.hasSuffix("The subprotocol chat.v1 must be offered in Sec-WebSocket-Protocol.\n"))
            #expect(try await lost.text().hasSuffix("WebSocket is spoken at /chat and /plain only.\n"))
        }
    }

    @Test @Loop func `an answer without a known length is chunked, and the connection serves on`() async throws {
        try await withRoutes { routes in
            routes.add([.get, .head], .exact("/stream"), for: .visitors) { _, _ in
                let stream = HTTPStream(length: nil, blockingPool: BlockingPool()) { at, _ in
                    at < 300_000 ? [UInt8](repeating: UInt8(at / 50_000) + 65, count: 50_000) : []
                }
                return HTTPResponse(status: 200, body: Array("begin ".utf8), stream: stream)
            }
        } _: { _, url, port async throws in
            let twice = try await curl(url + "/stream", url + "/stream")
            let old = try await curl("-0", "-i", url + "/stream")
            let raw = RawPeer(port: port)
            try await raw.say("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\nGET /gone HTTP/1.1\r\nHost: a\r\n\r\n")

            let whole = "begin " + "ABCDEF".map { String(repeating: $0, count: 50_000) }.joined()
            #expect(twice == whole + whole)
            #expect(old.hasSuffix("\r\n\r\n" + whole) && old.contains("connection: close") && !old.contains("chunked"))
            let heads = try await raw.text(until: "address.\n")
            #expect(heads.contains("transfer-encoding: chunked\r\n") && !heads.contains("begin") && heads.contains("HTTP/1.1 404"))
        }
    }

    @Test @Loop func `a stream of unknown length that fails ends the connection before its last chunk`() async throws {
        try await withRoutes { routes in
            routes.add([.get], .exact("/stream"), for: .visitors) { _, _ in
                HTTPResponse(status: 200, stream: HTTPStream(length: nil, blockingPool: BlockingPool()) { at, _ in at == 0 ? [65] : nil })
            }
        } _: { _, url, _ async throws in
            #expect(try await curl(url + "/stream").contains("curl: ("))
        }
    }
}

extension Array where Element: Sendable {
    /// In order, one after the other.
    @Loop fileprivate func asyncMap<Result>(_ body: @Loop (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
