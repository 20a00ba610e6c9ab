import BatonSeams
import Foundation
import Glibc
import Harness
import SocketPeers
import Testing
import WebClient

@testable import EventLoop
@testable import SocketServer

@Suite(.loop) struct HTTPTests {
    @Test @Loop func `a page arrives whole, whatever its length`() async throws {
        try await withHost { host, _, endpoint in
            let page = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            for count in [0, 1, 200_000, 3_900_000] {
                host.pages["/p"] = { _ in HTTPResponse(status: 200, headers: [("content-type", "audio/x")], body: Array(page[..<count])) }
                let reply = try await Client.request(.get, "/p", of: endpoint, on: EventLoop.background(), timeout: .patient)
                #expect(reply.status == 200)
                #expect(reply.headers["content-length"] == "\(count)")
                #expect(reply.headers["content-type"] == "audio/x")
                #expect(reply.body == Array(page[..<count]))
            }
        }
    }

    @Test @Loop func `curl reads a long page slowly to its end`() async throws {
        try await withHost { host, _, endpoint in
            host.pages["/p"] = { _ in HTTPResponse(status: 200, body: [UInt8](repeating: 65, count: 6_000_000)) }

            let size = try await curl(
                "--limit-rate", "8M", "-o", "/dev/null", "-w", "%{http_code} %{size_download}", "http://\(endpoint)/p")

            #expect(size == "200 6000000")
        }
    }

    @Test @Loop func `HEAD has the headers and no body`() async throws {
        try await withHost { host, _, endpoint in
            host.pages["/p"] = { _ in .sentence(200, "Hello.") }

            let answer = try await curl("-I", "http://\(endpoint)/p")

            #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
            #expect(answer.contains("content-length: 7"))
            #expect(!answer.contains("Hello"))
            #expect(host.requests.first?.method == .head)
        }
    }

    @Test(arguments: [0, 1, 5_000, 65_536]) @Loop func `a body arrives whole`(count: Int) async throws {
        try await withHost { host, _, endpoint in
            host.pages["/echo"] = { HTTPResponse(status: 200, body: $0.body) }
            let body = (0..<count).map { UInt8(truncatingIfNeeded: $0) }

            let reply = try await Client.request(.post, "/echo", of: endpoint, body: body, on: EventLoop.background(), timeout: .patient)

            #expect(reply.status == 200)
            #expect(reply.body == body)
        }
    }

    @Test @Loop func `a body over the limit is refused with 413, and says so`() async throws {
        try await withHost { host, _, endpoint in
            let file = try temporaryPath("body")
            try Data(repeating: 1, count: 65_537).write(to: URL(filePath: file))

            let answer = try await curl("-w", "%{http_code}", "--data-binary", "@\(file)", "http://\(endpoint)/echo")

            #expect(answer == "A request may have at most 65536 bytes of body.\n413")
            #expect(host.requests.isEmpty)
        }
    }

    @Test @Loop func `a body without a length is refused with 411`() async throws {
        try await withHost { host, _, endpoint in
            let peer = RawPeer(port: endpoint.port)
            try await peer.say("POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")

            #expect(try await peer.text(until: "length in").hasPrefix("HTTP/1.1 411 Length Required\r\n"))
            #expect(host.requests.isEmpty)
        }
    }

    /// BT-HTTP-014, RFC 9112, 6.3: also where a body without a length is no use.
    @Test(arguments: ["Transfer-Encoding: chunked\r\nContent-Length: 5", "Transfer-Encoding: gzip, chunked"])
    @Loop func `a body whose end can be read in two ways is refused with 400`(headers: String) async throws {
        try await withHost { host, _, endpoint in
            let peer = RawPeer(port: endpoint.port)
            try await peer.say("POST /x HTTP/1.1\r\nHost: x\r\n\(headers)\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")

            let answer = try await peer.text(until: "never said")
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && !answer.contains("smuggled"))
            #expect(host.requests.isEmpty)
        }
    }

    @Test(arguments: ["PUT", "DELETE", "OPTIONS", "PATCH"]) @Loop func `other methods are answered 405`(method: String) async throws {
        try await withHost { host, _, endpoint in
            let answer = try await curl("-i", "-X", method, "http://\(endpoint)/p")

            #expect(answer.hasPrefix("HTTP/1.1 405"))
            #expect(answer.contains("allow: GET, HEAD, POST"))
            #expect(host.requests.isEmpty)
        }
    }

    @Test @Loop func `one connection serves many requests`() async throws {
        try await withHost { host, server, endpoint in
            host.pages["/p"] = { .sentence(200, "Page \($0.query[0].value).") }
            host.pages["/c"] = { HTTPResponse(status: 200, body: $0.body) }

            let answer = try await curl(
                "-w", "%{num_connects}\n", "http://\(endpoint)/p?n=1", "http://\(endpoint)/p?n=2", "--next", "-d", "three\n",
                "-w", "%{num_connects}\n", "http://\(endpoint)/c", "http://\(endpoint)/c")

            #expect(answer == "Page 1.\n1\nPage 2.\n0\nthree\n0\nthree\n0\n")
        }
    }

    @Test @Loop func `pipelined requests are answered in their order, also when answers take time`() async throws {
        try await withHost { host, _, endpoint in
            host.pages["/slow"] = { request in
                try? await Task.sleep(for: .milliseconds(20))
                return .sentence(200, "Slow \(request.query[0].value).")
            }
            host.pages["/fast"] = { .sentence(200, "Fast \($0.query[0].value).") }
            let peer = RawPeer(port: endpoint.port)

            for (index, page) in ["slow", "fast", "slow", "fast"].enumerated() {
                try await peer.say("GET /\(page)?n=\(index) HTTP/1.1\r\nHost: x\r\n\r\n")
            }
            let answer = try await peer.text(until: "Fast 3.")

            let order = answer.split(separator: "\r\n").filter { $0.contains("Slow") || $0.contains("Fast") }
            #expect(order.map { $0.prefix(7) } == ["Slow 0.", "Fast 1.", "Slow 2.", "Fast 3."])
        }
    }

    @Test @Loop func `waiting for an answer costs no turns of the loop`() async throws {
        try await withHost { host, _, endpoint in
            var finish: CheckedContinuation<Void, Never>?
            host.pages["/slow"] = { _ in
                await withCheckedContinuation { finish = $0 }
                return .sentence(200, "Done.")
            }
            let peer = RawPeer(port: endpoint.port)
            try await peer.say("GET /slow HTTP/1.1\r\nHost: x\r\n\r\nGET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await eventually { finish != nil })

            // A loop that spins takes every stretch whole. Other tests share the thread, so that one quiet stretch is waited for.
            var spent: [Int64] = []
            while spent.count < 50, spent.last.map({ $0 >= 50_000_000 }) ?? true {
                let before = Watchdog.now(CLOCK_THREAD_CPUTIME_ID)
                try await Task.sleep(for: .milliseconds(100))
                spent.append(Watchdog.now(CLOCK_THREAD_CPUTIME_ID) - before)
            }
            #expect(spent.last! < 50_000_000, "\(spent)")
            finish?.resume()
            finish = nil
            #expect(await eventually { finish != nil })
            finish?.resume()
        }
    }

    @Test @Loop func `an answer is cancelled when its peer has gone`() async throws {
        try await withHost { host, server, endpoint in
            var wasCancelled = false
            var began = false
            host.pages["/slow"] = { _ in
                began = true
                do { try await Task.sleep(for: .seconds(60)) } catch { wasCancelled = true }
                return .sentence(200, "Too late.")
            }
            var peer: RawPeer? = RawPeer(port: endpoint.port)
            try await peer?.say("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await eventually { began })
            peer = nil

            #expect(await eventually { wasCancelled && server.connectionCount == 0 })
        }
    }

    @Test @Loop func `a request that does not come to its end is cut`() async throws {
        var limits = Server.Limits()
        limits.request = .milliseconds(100)
        try await withHost(limits) { host, server, endpoint in
            let mute = RawPeer(port: endpoint.port)
            let half = RawPeer(port: endpoint.port)
            try await half.say("GET /p HTT")
            let bodiless = RawPeer(port: endpoint.port)
            try await bodiless.say("POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n123")

            #expect(try await mute.hear().isEmpty)
            #expect(try await half.hear().isEmpty)
            #expect(try await bodiless.hear().isEmpty)
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test @Loop func `five hundred connections that never speak are all cut, and others are served`() async throws {
        let (limits, time) = (Server.Limits(), VirtualTime())
        try await withHost(limits, time: time) { host, server, endpoint in
            host.pages["/"] = { _ in .sentence(200, "Yes.") }
            let mutes = (0..<500).map { _ in RawPeer(port: endpoint.port) }
            #expect(await eventually { server.connectionCount == mutes.count })

            let reply = try await Client.request(.get, "/", of: endpoint, on: EventLoop.background(), timeout: .patient)
            #expect(reply.status == 200)

            // A limit is stored within a quarter.
            time.pass(limits.request * 1.25)
            #expect(await eventually { server.connectionCount == 0 })
            withExtendedLifetime(mutes) {}
        }
    }

    @Test @Loop func `path, query and headers arrive decoded`() async throws {
        try await withHost { host, _, endpoint in
            host.pages["/a b/ü"] = { _ in .sentence(200, "Yes.") }

            let answer = try await curl(
                "-H", "Cookie: a=b; c=d", "-H", "Authorization: Bearer x", "-H", "Range: bytes=0-", "-H", "If-Range: \"e\"",
                "-H", "If-None-Match: \"t\"", "-H", "Origin: http://o", "-H", "Content-Type: application/json", "-A", "me",
                "http://\(endpoint)/a%20b/%C3%BC?room=main&q=x%26y%20z&flag")

            #expect(answer == "Yes.\n")
            let request = try #require(host.requests.first)
            #expect(request.query.map { $0.name } == ["room", "q", "flag"])
            #expect(request.query.map { $0.value } == ["main", "x&y z", ""])
            let expected = [
                "host": "\(endpoint)", "cookie": "a=b; c=d", "authorization": "Bearer x", "range": "bytes=0-", "if-range": "\"e\"",
                "if-none-match": "\"t\"", "origin": "http://o", "content-type": "application/json", "user-agent": "me", "accept": "*/*",
            ]
            for (name, value) in expected { #expect(request.headers[name] == value) }
            #expect(request.peer == Peer(channel: .loopback, address: "127.0.0.1"))
        }
    }

    @Test(arguments: [
        "Forwarded: for=1.2.3.4", "X-Forwarded-For: 1.2.3.4", "X-Forwarded-Proto: https", "X-Forwarded-Host: h", "Via: 1.1 p",
    ])
    @Loop func `a proxy's header makes a loopback request one from the network`(header: String) async throws {
        try await withHost { host, _, endpoint in
            host.pages["/"] = { _ in .sentence(200, "Yes.") }

            _ = try await curl("-H", header, "http://\(endpoint)/")

            let parts = header.split(separator: ":", maxSplits: 1)
            #expect(host.requests.first?.peer.channel == .network)
            #expect(host.requests.first?.headers[parts[0].lowercased()] == String(parts[1].dropFirst()))
        }
    }

    @Test @Loop func `a header cannot be smuggled into an answer`() async throws {
        try await withHost { host, _, endpoint in
            host.pages["/"] = { _ in HTTPResponse(status: 302, headers: [("location", "/x\r\nset-cookie: evil=1")]) }

            let answer = try await curl("-i", "http://\(endpoint)/")

            #expect(!answer.contains("\nset-cookie"))
        }
    }

    @Test @Loop func `an upgrade to anything else is refused, and others are served`() async throws {
        try await withHost { host, server, endpoint in
            for kind in ["h2c", "foo", "TLS/1.0"] {
                let peer = RawPeer(port: endpoint.port)
                try await peer.say(
                    "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: \(kind)\r\nHTTP2-Settings: AAMAAABk\r\n\r\n")
                let answer = try await peer.text()
                #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(kind): \(answer.prefix(40))")
            }
            #expect(await eventually { server.connectionCount == 0 })
        }
    }
}
