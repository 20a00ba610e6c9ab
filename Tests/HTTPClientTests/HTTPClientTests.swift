/// Calls to real servers, good ones and bad ones.
import BatonSeams
import Foundation
import Harness
import Synchronization
import Testing
import Threads

@testable import HTTPClient

@Suite struct HTTPClientTests {
    private let client = HTTPClient()
    private let servers: Servers

    init() throws { servers = try Servers() }

    private func call(
        _ path: String, _ method: HTTPCall.Method = .get, headers: [HTTPCall.Header] = [], body: [UInt8] = [],
        _ change: (inout HTTPCall) -> Void = { _ in }
    ) -> HTTPCall {
        var call = HTTPCall(method, servers.url(path), headers: headers, body: body, policy: .anywhere)
        change(&call)
        return call
    }

    // MARK: Good answers

    @Test func `an answer brings its status, its headers in order and its body`() async throws {
        let answer = try await client.call(call("/hello"))

        #expect(answer.status == 200)
        #expect(answer.headers.filter { $0.name == "x-two" }.map(\.value) == ["a", "b"])
        #expect(String(decoding: try await answer.whole(), as: UTF8.self) == "hello")
    }

    @Test(arguments: HTTPCall.Method.allCases) func `each method arrives as it was sent`(method: HTTPCall.Method) async throws {
        let body: [UInt8] = method == .get || method == .head ? [] : Array("a=1".utf8)
        _ = try await client.call(call("/hello", method, headers: [.init("X-Own", "mine"), .init("X-Empty", "")], body: body)).whole()

        let request = try #require(try await servers.seen().requests.last)
        #expect(request.method == method.rawValue && request.body == String(decoding: body, as: UTF8.self))
        #expect(request.header("x-own") == "mine" && request.header("x-empty") == "")
        #expect(request.header("accept-encoding") == nil && request.header("expect") == nil)
        #expect(request.header("content-type") == nil)
    }

    @Test func `calls one after the other share a connection`() async throws {
        for _ in 0..<5 { _ = try await client.text(call("/hello")) }

        // One more is that of the question itself.
        #expect(try await servers.seen().connections == 2)
    }

    @Test func `the thread ends when there was no call for a while, and the next call starts another`() async throws {
        var options = HTTPClient.Options()
        options.idle = .milliseconds(20)
        let client = HTTPClient(options)

        for _ in 0..<2 {
            #expect(try await client.text(call("/hello")) == "hello")
            try await until { !client.activity.isRunning }
        }
        #expect(client.activity.calls == 0)
    }

    /// The policy is asked on the thread that carries the call out.
    @Test(arguments: [(false, 0), (true, OwnThread.quietness)])
    func `a quiet call is carried out by a thread before which others go`(isQuiet: Bool, priority: CInt) async throws {
        let found = Mutex<CInt?>(nil)
        var limits: HTTPCallLimits = isQuiet ? .copy : .stream
        limits.head = .seconds(60)
        let policy = AddressPolicy { _ in
            found.withLock { $0 = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
            return true
        }

        #expect(try await client.text(HTTPCall(.get, servers.url("/hello"), limits: limits, policy: policy)) == "hello")
        #expect(found.withLock { $0 } == priority)
    }

    @Test func `quiet calls end with the others`() async throws {
        let stream = try await client.call(call("/endless") { $0.limits = .copy })
        client.close()

        await #expect(throws: HTTPCallFault.self) { try await stream.whole() }
        try await until { client.activity.calls == 0 }
    }

    // MARK: Redirects

    @Test func `five redirects are followed and a sixth is not`() async throws {
        #expect(try await client.text(call("/hops/5")) == "arrived")
        #expect(await client.fault(call("/hops/6"))?.code == .tooManyRedirects)
        #expect(await client.fault(call("/loop"))?.code == .tooManyRedirects)
    }

    @Test(arguments: [301, 302, 303]) func `a form that is redirected is not sent again`(status: Int) async throws {
        #expect(try await client.text(call("/to/\(status)?/hello", .post, body: [1, 2])) == "hello")

        let last = try #require(try await servers.seen().requests.last)
        #expect(last.method == "GET" && last.body.isEmpty)
    }

    @Test(arguments: [307, 308]) func `a request that keeps its method keeps its body on the same server only`(status: Int) async throws {
        #expect(try await client.text(call("/to/\(status)?/hello", .put, body: [65])) == "hello")
        #expect(try await servers.seen().requests.last.map { $0.method + $0.body } == "PUTA")

        let fault = await client.fault(call("/to/\(status)?\(servers.second("/hello"))", .put, body: [65]))
        #expect(fault?.code == .refused)
        #expect(try await servers.seen().requests.last?.path.hasPrefix("/to/") == true)
    }

    @Test func `own headers go to the server they were meant for and to no other`() async throws {
        let own = [HTTPCall.Header("Authorization", "Bearer secret"), .init("X-Key", "secret"), .init("Cookie", "a=secret")]
        #expect(try await client.text(call("/to/302?/hello", headers: own)) == "hello")
        #expect(try await servers.seen().requests.suffix(2).allSatisfy { $0.header("x-key") == "secret" })

        #expect(try await client.text(call("/to/302?\(servers.second("/hello"))", headers: own)) == "hello")
        let last = try #require(try await servers.seen().requests.last)
        #expect(last.path == "/hello" && !last.headers.joined().contains { $0.contains("secret") })
    }

    @Test func `a redirect to another scheme is refused, and one without an end is followed all the same`() async throws {
        #expect(await client.fault(call("/nowhere"))?.code == .badAnswer)
        #expect(try await client.text(call("/endlessly")) == "hello")
    }

    // MARK: Which addresses

    @Test(arguments: [true, false]) func `an address that the policy refuses is not even connected to`(isNamed: Bool) async throws {
        let before = try await servers.seen().connections
        let url = isNamed ? servers.named("/hello") : servers.url("/hello")

        let fault = await client.fault(HTTPCall(.get, url))

        #expect(fault?.code == .refused && fault?.sentence.contains("private network") == true)
        #expect(try await servers.seen().connections == before + 1)
    }

    @Test func `the policy is asked again after a redirect`() async throws {
        let only = AddressPolicy { $0.address == NetworkAddress([127, 0, 0, 1]) }
        var call = call("/to/302?\(servers.second("/hello"))")
        call.policy = only

        #expect(await client.fault(call)?.code == .refused)
        #expect(try await servers.seen().requests.map(\.path).contains("/hello") == false)
    }

    @Test func `a connection of an earlier call does not carry a call that may not go there`() async throws {
        #expect(try await client.text(call("/hello")) == "hello")

        #expect(await client.fault(HTTPCall(.get, servers.url("/hello?again")))?.code == .refused)
        #expect(try await servers.seen().requests.map(\.path) == ["/hello"])
    }

    @Test func `the server that was configured may be at a private address`() async throws {
        let port = try #require(URL(string: servers.url("/"))?.port)
        var call = call("/hello")
        call.policy = .server("127.0.0.1", port: port)
        #expect(try await client.text(call) == "hello")

        call.url = servers.second("/hello")
        #expect(await client.fault(call)?.code == .refused)
    }

    // MARK: Proxies

    @Test func `a proxy of the environment is used, but for the names it leaves out`() async throws {
        var options = HTTPClient.Options()
        options.proxies = Proxies(environment: ["http_proxy": servers.proxy, "no_proxy": "127.0.0.1,other.example"])
        let client = HTTPClient(options)

        #expect(try await client.text(HTTPCall(.get, "http://music.example/a")) == "by way of the proxy: http://music.example/a")
        #expect(try await client.text(call("/hello")) == "hello")
        // What a proxy would look up is not known here; an address is.
        #expect(await client.fault(HTTPCall(.get, "http://10.0.0.1/"))?.code == .refused)
        #expect(await client.fault(HTTPCall(.get, "http://localhost/"))?.code == .refused)
    }

    // MARK: Certificates

    @Test func `a certificate that is not trusted, or is for another name, ends the call`() async throws {
        #expect(await client.fault(HTTPCall(.get, servers.secure("/hello"), policy: .anywhere))?.code == .certificate)

        var options = HTTPClient.Options()
        options.certificates = servers.certificate
        let trusting = HTTPClient(options)
        #expect(try await trusting.text(HTTPCall(.get, servers.secure("/hello"), policy: .anywhere)) == "hello")
        #expect(await trusting.fault(HTTPCall(.get, servers.secure("/hello", host: "127.0.0.1"), policy: .anywhere))?.code == .certificate)
    }

    @Test func `a certificate that is over ends the call, also where it is trusted`() async throws {
        var options = HTTPClient.Options()
        options.certificates = servers.folder + "/expired.pem"

        #expect(await HTTPClient(options).fault(HTTPCall(.get, servers.expired("/hello"), policy: .anywhere))?.code == .certificate)
    }
}
