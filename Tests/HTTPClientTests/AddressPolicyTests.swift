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

    private typealias Way = CallTarget.Way

    private static func target(_ address: String, _ way: Way = .named, isOwn: Bool = false) throws -> CallTarget {
        CallTarget(host: "x.example", port: 80, address: try #require(NetworkAddress(text: address)), isOwn: isOwn, way: way)
    }

    private static let internet = NetworkAddress([8, 8, 8, 8])
    private static let home = NetworkAddress([192, 168, 1, 2])
    private static let loopback = NetworkAddress([127, 0, 0, 1])

    /// Address, way, and whether it may be called: as a server gave it, as a person elsewhere did, as a person on this machine did.
    @Test(
        arguments: [
            ("1.1.1.1", .named, true, true, true), ("1.1.1.1", .redirected(by: internet), true, true, true),
            ("1.1.1.1", .redirected(by: nil), true, true, true),
            ("10.0.0.9", .named, false, true, true), ("fd00::9", .named, false, true, true),
            ("10.0.0.9", .redirected(by: internet), false, false, false), ("10.0.0.9", .redirected(by: nil), false, false, false),
            ("10.0.0.9", .redirected(by: home), true, true, true), ("fd00::9", .redirected(by: home), true, true, true),
            ("10.0.0.9", .redirected(by: loopback), false, false, false),
            ("127.0.0.1", .named, false, false, true), ("0.0.0.0", .named, false, false, true), ("::1", .named, false, false, true),
            ("::ffff:127.0.0.1", .named, false, false, true), ("127.0.0.1", .redirected(by: loopback), false, false, false),
            ("127.0.0.1", .redirected(by: internet), false, false, false), ("127.0.0.1", .redirected(by: home), false, false, false),
            ("169.254.169.254", .named, false, false, true), ("169.254.169.254", .redirected(by: home), false, false, false),
            ("224.0.0.251", .named, false, false, true), ("fe80::1", .redirected(by: home), false, false, false),
        ] as [(String, CallTarget.Way, Bool, Bool, Bool)])
    func `who named an address decides how far it reaches`(
        address: String, way: CallTarget.Way, byServer: Bool, elsewhere: Bool, here: Bool
    ) throws {
        let target = try Self.target(address, way)
        #expect(AddressPolicy.publicOnly.allows(target) == byServer)
        #expect(AddressPolicy.named(onThisMachine: false).allows(target) == elsewhere)
        #expect(AddressPolicy.named(onThisMachine: true).allows(target) == here)
        #expect(AddressPolicy.server("y.example", port: 80).allows(target) == byServer)
        #expect(AddressPolicy.server("X.example", port: 80).allows(target))
        #expect(AddressPolicy.server("x.example", port: 81).allows(target) == byServer)
    }

    @Test func `an own address of the network is this machine, however it is written`() throws {
        let own = try Self.target("192.168.1.7", isOwn: true)
        #expect(own.reach == .thisMachine && !AddressPolicy.named(onThisMachine: false).allows(own))
        #expect(try !AddressPolicy.named(onThisMachine: false).allows(Self.target("1.2.3.4", .redirected(by: Self.home), isOwn: true)))
    }

    @Test func `a host that is allowed is allowed at each port, or at one`() throws {
        let target = try Self.target("127.0.0.1")
        #expect(AllowedHost(text: "X.Example")?.matches(target) == true)
        #expect(AllowedHost(text: "x.example:80")?.matches(target) == true)
        #expect(AllowedHost(text: "x.example:81")?.matches(target) == false)
        #expect(AllowedHost(text: "example")?.matches(target) == false)
        #expect(AllowedHost(text: "[::1]")?.host == "[::1]" && AllowedHost("::1").host == "[::1]")
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
