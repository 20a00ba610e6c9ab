import Testing

@testable import Discovery

/// What a TXT record says, and what is made of one that says strange things: `Protocol/`, discovery.
@Suite struct HubRecordTests {
    private static let full = HubRecord(
        name: "Living Room", id: "7Qm2k0Vx", majors: [1, 2], plainPort: 9442, tlsPort: 9443, fingerprint: "89aee9283885d7c9", pairing: true,
        features: ["hi2", "ne", "ro"])

    private func read(_ txt: [String], port: UInt16 = 9443) -> HubRecord {
        HubRecord(name: "Hub", port: port, txt: txt.map { Array($0.utf8) })
    }

    @Test func `a full record is written in the protocol's order and fits easily`() {
        let txt = Self.full.txt

        #expect(
            txt == [
                "txtvers=1", "id=7Qm2k0Vx", "v=1,2", "p=/baton", "plain=9442", "fp=89aee9283885d7c9", "pair=1", "f=hi2,ne,ro",
            ])
        #expect(txt.reduce(0) { $0 + 1 + $1.utf8.count } <= 200)
    }

    @Test func `what is not so is not said`() {
        let hub = HubRecord(name: "Hub", id: "abc", tlsPort: 9443)

        #expect(hub.txt == ["txtvers=1", "id=abc", "v=1", "p=/baton"])
    }

    @Test func `a string that does not fit into 255 bytes is left out`() {
        let hub = HubRecord(name: "Hub", id: String(repeating: "x", count: 253), plainPort: 1)

        #expect(hub.txt == ["txtvers=1", "v=1", "p=/baton", "plain=1"])
    }

    @Test(arguments: [full, HubRecord(name: "Plain", id: "a", plainPort: 9442), HubRecord(name: "Secret", id: "b", tlsPort: 9443)])
    func `a record is read back as it was written`(hub: HubRecord) throws {
        let port = try #require(hub.port)

        #expect(HubRecord(name: hub.name, port: port, txt: hub.txt.map { Array($0.utf8) }) == hub)
    }

    @Test func `the SRV port is the plain port until there is a TLS port`() {
        let plain = read(["plain=9442"], port: 9442)
        let both = read(["plain=9442"], port: 9443)

        #expect(plain.plainPort == 9442 && plain.tlsPort == nil && plain.port == 9442)
        #expect(both.plainPort == 9442 && both.tlsPort == 9443 && both.port == 9443)
    }

    @Test func `unknown keys are passed over and known ones are read in any case`() {
        let hub = read(["colour=blue", "ID=abc", "PlAiN=80", "=nothing", "flag", "", "Pair=1"])

        #expect(hub == HubRecord(name: "Hub", id: "abc", plainPort: 80, tlsPort: 9443, pairing: true))
    }

    @Test func `the first value of a key counts`() {
        #expect(read(["id=first", "ID=second"]).id == "first")
    }

    @Test(arguments: [
        "plain=0", "plain=65536", "plain=-1", "plain=", "plain=12x", "v=", "v=one", "v=1,", "v=0", "v=99999999999999999999", "p=companion",
        "p=", "p=/a b", "p=/\u{7f}", "fp=89aee9283885d7c", "fp=zzaee9283885d7c9", "id=", "id=a b", "id=\u{1b}[2J", "pair=0", "pair=yes",
        "f=", "f=h", "f=HI", "f=hi1", "f=hi0", "f=hi02", "f=hi20000", "f=x-dim", "f=,",
        "id=" + String(repeating: "x", count: 200),
    ])
    func `a malformed value changes nothing`(string: String) {
        #expect(read([string]) == HubRecord(name: "Hub", id: nil, tlsPort: 9443))
    }

    @Test func `bytes that are no text change nothing`() {
        let hub = HubRecord(name: "Hub", port: 1, txt: [[0x69, 0x64, 0x3d, 0xff, 0xfe], [0xff, 0x3d, 0x31], Array("v=2".utf8)])

        #expect(hub == HubRecord(name: "Hub", id: nil, majors: [2], tlsPort: 1))
    }

    @Test func `a layout of another version is not guessed at`() {
        #expect(read(["txtvers=2", "id=abc", "plain=1"]) == HubRecord(name: "Hub", id: nil, tlsPort: 9443))
    }

    @Test func `a name becomes one line of at most 63 bytes, cut between characters`() {
        let long = HubRecord(name: String(repeating: "🎺", count: 20), id: nil)
        let broken = HubRecord(name: "Two\nlines", id: nil)
        let empty = HubRecord(name: " \n", id: nil)

        #expect(long.serviceName == String(repeating: "🎺", count: 15))
        #expect(broken.serviceName == "Two lines")
        #expect(empty.serviceName == "Baton")
    }
}

@Suite struct HubAddressTests {
    @Test func `the address that most likely works comes first`() {
        let best = ["192.168.1.7", "169.254.3.4", "2001:db8::7", "fe80::7", "127.0.0.1"]
        let addresses = best.reversed().map { HubAddress($0, foundOn: 3) }

        #expect(addresses.sorted().map(\.text) == best)
    }

    @Test func `only a link-local IPv6 address carries its interface`() {
        let local = HubAddress("fe80::7", foundOn: 3)
        let global = HubAddress("2001:db8::7", foundOn: 3)
        let four = HubAddress("10.0.0.7", foundOn: 3)

        #expect([local, global, four].map(\.host) == ["fe80::7%3", "2001:db8::7", "10.0.0.7"])
        #expect([local, global, four].map(\.urlHost) == ["[fe80::7%253]", "[2001:db8::7]", "10.0.0.7"])
    }
}
