/// Servers that send too much, too little or nothing, and calls that make no sense.
import BatonSeams
import Foundation
import Harness
import Testing

@testable import HTTPClient

@Suite struct HTTPLimitTests {
    private let client = HTTPClient()
    private let servers: Servers

    init() throws { servers = try Servers() }

    private func call(_ path: String, _ change: (inout HTTPCallLimits) -> Void = { _ in }) -> HTTPCall {
        var limits = HTTPCallLimits()
        change(&limits)
        return HTTPCall(.get, servers.url(path), limits: limits, policy: .anywhere)
    }

    // MARK: Sizes

    @Test func `streams that are heard slowly do not keep a question to the same server waiting`() async throws {
        var streams: [HTTPAnswer] = []
        for _ in 0..<20 { streams.append(try await client.call(call("/endless") { $0.bodyBytes = nil })) }

        let answer = try await client.text(call("/hello"))

        #expect(answer == "hello" && streams.count == 20)
    }

    @Test(arguments: ["/endless", "/promises", "/bighead"]) func `an answer over its bound ends in a sentence`(path: String) async throws {
        let fault = await client.fault(call(path) { $0.bodyBytes = 100_000 })

        #expect(fault?.code == .tooLarge)
        #expect(fault?.sentence.contains("127.0.0.1") == true && fault?.sentence.hasSuffix(".") == true)
        try await until { client.activity.calls == 0 }
    }

    @Test func `a compressed answer stays as small as it came`() async throws {
        let answer = try await client.call(call("/bomb"))

        #expect(answer.header("content-encoding") == "gzip")
        #expect(try await answer.whole().count < 100_000)
    }

    @Test func `a reader that takes nothing slows the server down`() async throws {
        let answer = try await client.call(call("/endless") { $0.bodyBytes = nil })
        _ = try await answer.body.next()

        // Each question gives the server time to send more, were it allowed to.
        for _ in 0..<50 { _ = try await servers.seen() }

        #expect(try await servers.seen().sent < 64 << 20)
        answer.body.cancel()
        try await until { client.activity.calls == 0 }
    }

    // MARK: Time

    @Test(arguments: ["/hang", "/stalls", "/drips"]) func `a server that takes too long ends in a sentence`(path: String) async throws {
        let fault = await client.fault(
            call(path) {
                $0.head = .milliseconds(300)
                $0.total = .milliseconds(500)
            })

        #expect(fault?.code == .timedOut && fault?.sentence.contains("takes too long") == true)
        #expect(client.activity.calls == 0)
    }

    @Test func `a stream that falls silent ends, though its length has no bound in time`() async throws {
        let fault = await client.fault(
            call("/stalls") {
                $0.total = nil
                $0.silence = .seconds(1)
            })

        #expect(fault?.code == .timedOut)
    }

    @Test func `while one server hangs, others answer`() async throws {
        let hanging = (0..<8).map { _ in Task { await client.fault(call("/hang")) } }
        try await until { client.activity.calls == 8 }

        var other = call("/hello")
        other.url = servers.second("/hello")
        #expect(try await client.text(other) == "hello")

        for task in hanging { task.cancel() }
        for task in hanging { #expect(await task.value?.code == .cancelled) }
    }

    @Test func `a call that is cancelled ends at once, before and after the head of its answer`() async throws {
        for path in ["/hang", "/stalls"] {
            let task = Task { await client.fault(call(path)) }
            try await until { try await servers.seen().requests.last?.path == path }

            task.cancel()

            #expect(await task.value?.code == .cancelled)
            #expect(client.activity.calls == 0)
        }
    }

    @Test func `an answer that is dropped ends its transfer`() async throws {
        _ = try await client.call(call("/endless") { $0.bodyBytes = nil })

        try await until { client.activity.calls == 0 }
    }

    @Test func `closing ends what goes on and refuses what comes`() async throws {
        let task = Task { await client.fault(call("/hang")) }
        try await until { try await servers.seen().requests.last?.path == "/hang" }

        client.close()

        #expect(await task.value?.code == .cancelled)
        #expect(await client.fault(call("/hello"))?.code == .unavailable)
    }

    // MARK: Nonsense

    @Test func `more calls than allowed are refused and the others go on`() async throws {
        var options = HTTPClient.Options()
        options.mostCalls = 2
        let client = HTTPClient(options)
        let hanging = (0..<2).map { _ in Task { await client.fault(call("/hang")) } }
        try await until { client.activity.calls == 2 }

        #expect(await client.fault(call("/hello"))?.code == .unavailable)
        for task in hanging { task.cancel() }
        for task in hanging { _ = await task.value }
        #expect(try await client.text(call("/hello")) == "hello")
    }

    @Test func `a connection that breaks off and a port where nobody listens are told apart from silence`() async throws {
        #expect(await client.fault(call("/breaks"))?.code == .unreachable)
        #expect(await client.fault(HTTPCall(.get, "http://127.0.0.1:1/", policy: .anywhere))?.code == .unreachable)
        let fault = await client.fault(HTTPCall(.get, "http://no.such.name.invalid/path?token=secret", policy: .anywhere))
        #expect(fault?.code == .unreachable && fault?.sentence == "The name no.such.name.invalid could not be found.")
    }

    @Test(arguments: ["", "ftp://x/", "file:///etc/passwd", "http://", "http://x y/", "http://x/\r\nHost: y", "gopher://x"])
    func `a call without a complete web address is refused`(url: String) async {
        #expect(await client.fault(HTTPCall(.get, url, policy: .anywhere))?.code == .badCall)
    }

    @Test(arguments: [("X: y", "z"), ("", "z"), ("X", "a\r\nY: b"), ("X", "a\u{0}")])
    func `a header that would become two is refused`(name: String, value: String) async {
        let fault = await client.fault(HTTPCall(.get, servers.url("/hello"), headers: [.init(name, value)], policy: .anywhere))
        #expect(fault?.code == .badCall && fault?.sentence.contains("127.0.0.1") == true)
    }

    @Test func `no sentence holds a secret of the call`() async throws {
        for path in ["/hang", "/bighead", "/breaks", "/loop", "/nowhere"] {
            var call = call(path + "?token=secret") { $0.head = .milliseconds(300) }
            call.headers = [.init("X-Key", "secret")]
            call.url = call.url.replacing("http://", with: "http://user:secret@")

            let sentence = await client.fault(call)?.sentence ?? "none"

            #expect(!sentence.contains("secret") && !sentence.contains(path) && sentence.contains("127.0.0.1"), "\(sentence)")
        }
    }
}
