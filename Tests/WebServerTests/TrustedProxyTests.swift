/// Whom a request is from when proxies stand before the hub.
import BatonSeams
import Testing

@testable import SocketServer

struct TrustedProxyTests {
    private static let near = Peer(channel: .loopback, address: "127.0.0.1")
    private static let far = Peer(channel: .network, address: "198.51.100.9")
    private static let proxies = TrustedProxies(["127.0.0.1", "10.0.0.0/8", "fd00::/8"].compactMap { AddressRange(text: $0) })

    private func peer(_ headers: [String], behind peer: Peer = near, _ proxies: TrustedProxies = proxies) throws -> Peer {
        var head = try RequestHead(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\(headers.map { $0 + "\r\n" }.joined())\r\n".utf8))
        try head.hear(proxies, before: peer)
        return head.request(from: peer).peer
    }

    @Test func `the client of a trusted proxy is the nearest address that is no proxy`() throws {
        let client = Peer(channel: .tls, address: "203.0.113.7")
        for header in [
            "X-Forwarded-For: 203.0.113.7", "X-Forwarded-For: 192.0.2.1, 203.0.113.7, 10.1.2.3", "X-Forwarded-For: 203.0.113.7:4711",
            "X-Forwarded-For: ::ffff:203.0.113.7",
        ] {
            #expect(try peer([header, "X-Forwarded-Proto: https"]) == client, "\(header)")
        }
        #expect(try peer(["Forwarded: for=192.0.2.1, for=\"203.0.113.7:80\";proto=https;by=10.0.0.1"]) == client)
        #expect(try peer(["Forwarded: for=\"[2001:db8::1]:4711\";proto=http"]) == Peer(channel: .network, address: "2001:db8::1"))
        #expect(try peer(["X-Forwarded-For: 10.0.0.3, 10.0.0.2"]) == Peer(channel: .network, address: "10.0.0.3"))
    }

    @Test func `what comes from a trusted proxy is never local, with or without its headers`() throws {
        #expect(try peer([]) == Peer(channel: .network, address: "127.0.0.1"))
        #expect(try peer(["X-Forwarded-Proto: https"]) == Peer(channel: .tls, address: "127.0.0.1"))
        #expect(try peer(["X-Forwarded-For: 127.0.0.1"]).channel == .network)
    }

    @Test func `no other peer is believed`() throws {
        let forged = ["X-Forwarded-For: 127.0.0.1", "X-Forwarded-Proto: https", "Forwarded: for=127.0.0.1"]
        #expect(try peer(forged, behind: Self.far) == Self.far)
        #expect(try peer(forged, TrustedProxies()) == Peer(channel: .network, address: "127.0.0.1"))
        #expect(try peer([], TrustedProxies()) == Self.near)
        let unix = Peer(channel: .unix(uid: 0, gid: 0), address: "unix")
        #expect(try peer(forged, behind: unix).channel == .network)
        #expect(try peer([], behind: unix) == unix)
        let secure = Peer(channel: .tls, address: "198.51.100.9")
        #expect(try peer(forged, behind: secure) == secure)
    }

    @Test(arguments: [
        ["X-Forwarded-For: unknown"], ["X-Forwarded-For: 203.0.113.7, _hidden"], ["X-Forwarded-For:"], ["Forwarded: for=nowhere"],
        ["X-Forwarded-For: 203.0.113.7", "Forwarded: for=192.0.2.1"], ["X-Forwarded-For: 1.2.3.4.5"], ["X-Forwarded-For: [::1"],
    ])
    func `a trusted proxy that says nothing clear is refused with a sentence`(headers: [String]) throws {
        let fault = #expect(throws: RequestHead.Fault.self) { try peer(headers) }
        #expect(fault?.status == 400)
        #expect(fault?.sentence.contains("127.0.0.1") == true && fault?.sentence.hasSuffix(".") == true)
    }

    @Test func `a range is an address, or as many of its bits as are named`() {
        for good in ["127.0.0.1", "::1", "10.0.0.0/8", "192.168.2.0/24", "fd00::/8", "localhost", "203.0.113.7/32"] {
            #expect(AddressRange(text: good) != nil, "\(good)")
        }
        for bad in [
            "", "proxy.home", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/0", "10.0.0.0/", "10.0.0.0/8/8", "::1/129", "1.2.3", "10.0.0.0/+8",
        ] {
            #expect(AddressRange(text: bad) == nil, "\(bad)")
        }
        #expect(Self.proxies.contains("10.255.0.1") && Self.proxies.contains("fd12::9"))
        #expect(!Self.proxies.contains("11.0.0.1") && !Self.proxies.contains("fe80::1") && !Self.proxies.contains("unix"))
    }
}
