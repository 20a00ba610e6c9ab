import BatonClient
import Testing

@Suite struct `A hub's address is read as people write it` {
    @Test(arguments: [
        ("/run/baton/hub.sock", Endpoint.unix(path: "/run/baton/hub.sock")), ("unix:/tmp/a b", .unix(path: "/tmp/a b")),
        ("music.local", .tls(host: "music.local", port: 9443, pin: nil)), ("music.local:80", .tcp(host: "music.local", port: 80)),
        ("192.168.1.7:9442", .tcp(host: "192.168.1.7", port: 9442)), ("ws://pi:1", .tcp(host: "pi", port: 1)),
        ("http://pi:65535/", .tcp(host: "pi", port: 65_535)), ("http://pi/index.html", .tcp(host: "pi", port: 9442)),
        ("[::1]:9442", .tcp(host: "::1", port: 9442)), ("localhost", .tcp(host: "localhost", port: 9442)),
        ("pi:9443", .tls(host: "pi", port: 9443, pin: nil)), ("wss://pi", .tls(host: "pi", port: 9443, pin: nil)),
        ("https://pi:1/", .tls(host: "pi", port: 1, pin: nil)), ("ws://[fe80::1]", .tcp(host: "fe80::1", port: 9442)),
    ])
    func `what it may look like`(text: String, endpoint: Endpoint) {
        #expect(Endpoint(text: text) == endpoint)
    }

    @Test(arguments: [
        "", ":9442", "pi:0", "pi:65536", "pi:-1", "pi:http", "::1", "[::1", "[::1]9442", "unix:relative",
        "a b",
        "ftp://pi",
    ])
    func `what it may not look like`(text: String) {
        #expect(Endpoint(text: text) == nil)
    }

    @Test(arguments: [
        Endpoint.unix(path: "/x/hub.sock"), .tcp(host: "pi", port: 1), .tcp(host: "fe80::1", port: 9442),
        .tls(host: "fe80::1", port: 1, pin: nil),
    ])
    func `what is remembered is read again`(endpoint: Endpoint) {
        #expect(Endpoint(text: endpoint.text) == endpoint)
    }

    @Test func `in a sentence it stands without ornament`() {
        #expect("\(Endpoint.tcp(host: "::1", port: 9))" == "[::1]:9")
        #expect("\(Endpoint.unix(path: "/x"))" == "/x")
    }

    @Test(arguments: [
        ("unix:/x", true), ("localhost", true), ("LocalHost:1", true), ("127.0.0.1:9442", true), ("[::1]", true), ("127.1.2.3", true),
    ])
    func `a hub is on this machine`(text: String, isLocal: Bool) {
        #expect(Endpoint(text: text)?.isLocal == isLocal)
    }

    @Test(arguments: ["192.168.1.7", "pi", "127.example.org", "127.0.0.1.example.org", "[fe80::1]", "localhost.example.org"])
    func `a hub may be elsewhere`(text: String) {
        #expect(Endpoint(text: text)?.isLocal == false)
    }
}
