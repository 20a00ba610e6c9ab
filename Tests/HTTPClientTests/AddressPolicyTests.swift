/// Which addresses belong to the internet, and what the values around a call decide.
import BatonSeams
import Testing

@testable import HTTPClient

@Suite struct AddressPolicyTests {
    @Test(arguments: [
        "8.8.8.8", "1.1.1.1", "172.32.0.1", "100.63.0.1", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1",
    ])
    func `an address of the internet is public`(text: String) throws {
        #expect(try #require(NetworkAddress(text: text)).isPublic)
    }

    @Test(arguments: [
        "127.0.0.1", "127.255.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "192.0.2.1", "198.18.0.1", "203.0.113.7", "224.0.0.251", "255.255.255.255", "::", "::1", "fe80::1", "fc00::1", "fd12::1",
        "ff02::fb",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1", "2001:db8::1", "2001::1", "::127.0.0.1",
    ])
    func `an address of this machine, a private network or a reserved range is not`(text: String) throws {
        #expect(try !#require(NetworkAddress(text: text)).isPublic)
    }

    @Test(
        arguments: [
            ("https", "music.example", "http://s"), ("http", "music.example", "http://p"), ("http", "a.local", nil), ("http", "local", nil),
            ("http", "xlocal", "http://p"), ("https", "[::1]", nil),
        ] as [(String, String, String?)])
    func `the environment says which proxy a server has`(scheme: String, host: String, proxy: String?) {
        let proxies = Proxies(environment: [
            "http_proxy": "http://p", "HTTPS_PROXY": "http://s", "all_proxy": "http://all", "HTTP_PROXY": "http://wrong",
            "no_proxy": ".local, ::1",
        ])
        #expect(proxies.proxy(scheme: scheme, host: host) == proxy)
    }

    @Test func `a star leaves all names out`() {
        #expect(Proxies(environment: ["all_proxy": "http://p", "NO_PROXY": "*"]).proxy(scheme: "http", host: "x") == nil)
        #expect(Proxies(environment: ["all_proxy": "http://p"]).proxy(scheme: "http", host: "x") == "http://p")
    }
}
