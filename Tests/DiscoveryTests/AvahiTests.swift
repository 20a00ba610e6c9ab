import BatonSeams
import EventLoop
import Foundation
import Synchronization
import Testing

@testable import Discovery

/// Discovery between two hosts with real daemons; independent peers look on from the other side.
///
/// The tests live on the loop and their suite does not: its traits are what starts the loop.
@Suite(.serialized, .enabled(if: TwoHosts.mayBeMade, "network namespaces need root"), StandingLoop())
struct AvahiTests {
    let hub = HubRecord(
        name: "Living Room", id: "7Qm2k0Vx", plainPort: 9442, fingerprint: "89aee9283885d7c9", pairing: true)

    @Loop func advertiser(_ log: Log = .silent) -> Advertiser {
        Advertiser(reactor: StandingLoop.loop!, log: log, pace: RetryPace(first: .milliseconds(50), most: .milliseconds(200)))
    }

    @Loop func browser() -> Browser {
        Browser(reactor: StandingLoop.loop!, log: .silent, pace: RetryPace(first: .milliseconds(50), most: .milliseconds(200)))
    }

    @Loop @Test func `a published hub is seen by other people's software, with its port and its whole text`() async throws {
        try await TwoHosts.with { hosts in
            let advertiser = advertiser()
            advertiser.publish(hub)
            try await eventually("published") { advertiser.state == .published(as: "Living Room") }

            // avahi-browse takes an address of either family for an answer, so it looks until it was told this one.
            let here = #"=;cable;IPv4;Living\032Room;_baton._tcp;local;baton-a.local;\#(hosts.addresses["A"]!);9442;"#
            var browsed = ""
            try await eventually("seen at its IPv4 address") {
                browsed = try await hosts.run(on: .b, "avahi-browse", "-rpt", "_baton._tcp")
                return browsed.contains(here)
            }
            let asked = try await hosts.run(on: .b, "/usr/bin/python3", "-c", Self.zeroconf, hosts.addresses["B"]!, "Living Room")

            for string in hub.txt { #expect(browsed.contains("\"\(string)\"")) }
            #expect(asked == "\(hosts.addresses["A"]!) 9442 \(hub.txt.sorted().joined(separator: " "))\n")
            advertiser.withdraw()
        }
    }

    private static let zeroconf = """
        import socket, sys, zeroconf
        zc = zeroconf.Zeroconf(interfaces=[sys.argv[1]])
        info = zc.get_service_info("_baton._tcp.local.", sys.argv[2] + "._baton._tcp.local.", 5000)
        txt = sorted(b"=".join(pair).decode() for pair in info.properties.items())
        print(info.parsed_addresses(zeroconf.IPVersion.V4Only)[0], info.port, *txt)
        zc.close()
        """

    @Loop @Test func `a browser finds the hub, follows its changes in place, and loses it when it is withdrawn`() async throws {
        try await TwoHosts.with { hosts in
            let advertiser = advertiser()
            advertiser.publish(hub)
            try await hosts.leave([advertiser])
            let (browser, seen) = (browser(), Seen())
            browser.browse { seen.events.append($0) }
            try await eventually("found over IPv4 and IPv6") { seen.hubs["Living Room"]?.addresses.count == 2 }

            let found = try #require(seen.hubs["Living Room"])
            #expect(found.addresses[0].host == hosts.addresses["A"])
            #expect(found.addresses[1].text.hasPrefix("fe80:") && found.addresses[1].interface > 0)
            #expect(found.host == "baton-a.local")
            var said = found
            (said.host, said.addresses) = (nil, [])
            #expect(said == hub)

            var closed = hub
            closed.pairing = false
            advertiser.publish(closed)
            try await eventually("the new text") { seen.hubs["Living Room"]?.pairing == false }
            #expect(!seen.events.contains(.lost("Living Room")))

            var renamed = closed
            renamed.name = "Kitchen"
            advertiser.publish(renamed)
            try await eventually("the new name") { seen.hubs.keys.sorted() == ["Kitchen"] }

            advertiser.withdraw()
            #expect(advertiser.state == .withdrawn)
            try await eventually("gone") { seen.hubs.isEmpty }
            browser.stop()
        }
    }

    @Loop @Test func `a search for hubs that accept pairing finds a hub while it does, and the hub never disappears from other searches`()
        async throws
    {
        try await TwoHosts.with { hosts in
            let advertiser = advertiser()
            var record = hub
            record.pairing = false
            advertiser.publish(record)
            try await hosts.leave([advertiser])
            let (browser, seen) = (browser(), Seen())
            browser.browse { seen.events.append($0) }
            try await eventually("found") { seen.hubs["Living Room"] != nil }
            let letsSomebodyIn = { () async throws -> Bool in
                let browsed = try await hosts.run(on: .b, "avahi-browse", "-rpt", HubRecord.pairingSubtype)
                return browsed.contains(#"Living\032Room"#) && browsed.contains("\"id=7Qm2k0Vx\"")
            }
            #expect(try await !letsSomebodyIn())

            for _ in 0..<2 {
                record.pairing = true
                advertiser.publish(record)
                try await eventually("open") { try await letsSomebodyIn() }
                try await eventually("told in its text, too") { seen.hubs["Living Room"]?.pairing == true }
                record.pairing = false
                advertiser.publish(record)
                try await eventually("closed") { try await !letsSomebodyIn() }
            }
            #expect(!seen.events.contains(.lost("Living Room")))

            // Under another name it is the other one that is open.
            record.pairing = true
            record.name = "Kitchen"
            advertiser.publish(record)
            try await eventually("renamed") {
                let browsed = try await hosts.run(on: .b, "avahi-browse", "-rpt", HubRecord.pairingSubtype)
                return browsed.contains("Kitchen") && !browsed.contains("Living")
            }
            advertiser.withdraw()
            browser.stop()
        }
    }

    @Loop @Test func `a hub that answers after every attempt has timed out is still found`() async throws {
        try await TwoHosts.with { hosts in
            try await hosts.killAvahi(on: .a)
            hosts.speak(through: .b)
            let (browser, seen) = (browser(), Seen())
            browser.browse { seen.events.append($0) }
            try await eventually("browsing") { browser.state == .browsing }
            try await eventually("seen by its name alone") {
                _ = try await hosts.run(on: .a, "/usr/bin/python3", "-c", Self.pointer, hosts.addresses["A"]!, "Living Room")
                return !browser.sightings.isEmpty
            }
            let sighting = try #require(browser.sightings.values.first)
            for _ in 0..<3 { browser.note(.resolved(sighting, nil)) }

            hosts.speak(through: .a)
            try await hosts.startAvahi(on: .a)
            let advertiser = advertiser()
            advertiser.publish(hub)

            try await eventually("found at the address of its first sighting") {
                seen.hubs["Living Room"]?.addresses.first?.host == hosts.addresses["A"]
            }
            #expect(browser.sightings[sighting.key] === sighting)
            advertiser.withdraw()
            browser.stop()
        }
    }

    /// A program that announces the PTR record of a hub, and none of the others.
    private static let pointer = """
        import socket, struct, sys
        name = lambda *labels: b"".join(bytes([len(label)]) + label.encode() for label in labels) + b"\\0"
        kind = "_baton", "_tcp", "local"
        target = name(sys.argv[2], *kind)
        packet = struct.pack(">6H", 0, 0x8400, 0, 1, 0, 0) + name(*kind) + struct.pack(">HHIH", 12, 1, 4500, len(target)) + target
        cable = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        cable.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        cable.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(sys.argv[1]))
        cable.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        cable.bind(("", 5353))
        cable.sendto(packet, ("224.0.0.251", 5353))
        """

    @Loop @Test func `a daemon that was killed and comes back publishes again without being asked`() async throws {
        try await TwoHosts.with { hosts in
            let (log, lines) = Lines.log()
            let advertiser = advertiser(log)
            advertiser.publish(hub)
            try await eventually("published") { advertiser.state == .published(as: "Living Room") }

            try await hosts.killAvahi(on: .a)
            try await eventually("missed") { lines.all.contains { $0.hasPrefix("warning avahi-daemon is not running") } }
            #expect(advertiser.state == .waiting)
            try await hosts.startAvahi(on: .a)
            try await eventually("published again") { advertiser.state == .published(as: "Living Room") }

            let browsed = try await hosts.run(on: .b, "avahi-browse", "-rpt", "_baton._tcp")
            #expect(browsed.contains("\"id=7Qm2k0Vx\""))
            #expect(lines.all.filter { $0 == "notice Avahi answers again." }.count == 1)
            advertiser.withdraw()
        }
    }

    @Loop @Test func `a daemon that hangs holds the loop for a moment, is told of, and is used again when it answers`() async throws {
        try await TwoHosts.with { hosts in
            let (log, lines) = Lines.log()
            let advertiser = advertiser(log)
            advertiser.publish(hub)
            try await eventually("published") { advertiser.state == .published(as: "Living Room") }

            // A machine that is busy may have been told of before, for a call that took too long.
            let told = lines.all.count
            try await hosts.stopAvahi(on: .a)
            var closed = hub
            closed.pairing = false
            // The bus itself would wait for 25 seconds.
            let held = ContinuousClock().measure { advertiser.publish(closed) }
            #expect(held < .seconds(10), "\(held)")
            guard case .failed = advertiser.state else { return #expect(Bool(false), "\(advertiser.state)") }

            // A new hub, and one that ends, do not wait either.
            let other = self.advertiser()
            #expect(ContinuousClock().measure { other.publish(hub) } < .seconds(10))
            #expect(ContinuousClock().measure { other.withdraw() } < .seconds(10))
            #expect(lines.all.dropFirst(told).filter { $0.hasPrefix("warning avahi-daemon runs and does not answer") }.count == 1)

            try await hosts.goOnWithAvahi(on: .a)
            try await eventually("published again") { advertiser.state == .published(as: "Living Room") }
            advertiser.withdraw()
        }
    }

    @Loop @Test func `after one late call the hub is on the network again soon, though it waits long after failures`() async throws {
        try await TwoHosts.with { hosts in
            let pace = RetryPace(first: .seconds(600), most: .seconds(600), afterLateCall: .seconds(5))
            let advertiser = Advertiser(reactor: StandingLoop.loop!, log: .silent, pace: pace)
            advertiser.publish(hub)
            try await eventually("published") { advertiser.state == .published(as: "Living Room") }

            try await hosts.stopAvahi(on: .a)
            var closed = hub
            closed.pairing = false
            advertiser.publish(closed)
            guard case .failed = advertiser.state else { return #expect(Bool(false), "\(advertiser.state)") }
            try await hosts.goOnWithAvahi(on: .a)
            try await eventually("published again") { advertiser.state == .published(as: "Living Room") }
            advertiser.withdraw()
        }
    }

    @Loop @Test func `a browser whose daemon was killed loses only whom the next daemon does not find`() async throws {
        try await TwoHosts.with { hosts in
            let (staying, leaving, browser, seen) = (advertiser(), advertiser(), browser(), Seen())
            staying.publish(hub)
            leaving.publish(HubRecord(name: "Guest", id: "guest", plainPort: 9452))
            try await hosts.leave([staying, leaving])
            browser.browse { seen.events.append($0) }
            try await eventually("found") { seen.hubs.count == 2 }

            try await hosts.killAvahi(on: .b)
            try await eventually("missed") { browser.state == .waiting }
            leaving.withdraw()
            try await hosts.startAvahi(on: .b)

            try await eventually("lost") { seen.hubs["Guest"] == nil }
            #expect(!seen.events.contains(.lost("Living Room")))
            staying.withdraw()
            try await eventually("followed") { seen.hubs.isEmpty }
            browser.stop()
        }
    }

    @Loop @Test func `a daemon that starts late is used when it is there`() async throws {
        try await TwoHosts.with { hosts in
            try await hosts.killAvahi(on: .a)
            let advertiser = advertiser()
            advertiser.publish(HubRecord(name: "Living Room", id: "7Qm2k0Vx"))
            try await eventually("waiting") { advertiser.state == .waiting }
            await #expect(throws: DiscoveryUnavailable.self) { try await browser().discover(for: .seconds(60)) }

            try await hosts.startAvahi(on: .a)

            try await eventually("refused") { advertiser.state == .failed("The hub has no port that others could connect to.") }
            advertiser.publish(hub)
            try await eventually("published") { advertiser.state == .published(as: "Living Room") }
            advertiser.withdraw()
        }
    }

    @Loop @Test func `without a system bus everything runs on, says so once, and recovers`() async throws {
        try await TwoHosts.with { hosts in
            hosts.beWithoutABus()
            let (log, lines) = Lines.log()
            let advertiser = advertiser(log)
            var states: [Advertiser.State] = []
            advertiser.onState = { states.append($0) }

            advertiser.publish(hub)
            #expect(advertiser.state == .noBus)
            let unavailable = await #expect(throws: DiscoveryUnavailable.self) { try await browser().discover(for: .seconds(60)) }
            #expect(unavailable?.description.contains("there is no system bus") == true)
            hosts.speak(through: .a)
            try await eventually("published") { advertiser.state == .published(as: "Living Room") }

            #expect(states == [.noBus, .registering, .published(as: "Living Room")])
            #expect(
                lines.all == [
                    "warning There is no system bus, so Avahi cannot be reached and hubs do not find each other.",
                    "notice Avahi answers again.", "notice Announced on the network as “Living Room”.",
                ])
            advertiser.withdraw()
        }
    }

    @Loop @Test func `what is dropped without being ended is ended`() async throws {
        try await TwoHosts.with { hosts in
            weak var dropped: Advertiser?
            do {
                let advertiser = advertiser()
                dropped = advertiser
                advertiser.publish(hub)
                try await eventually("published") { advertiser.state == .published(as: "Living Room") }
            }
            #expect(dropped == nil)
            try await eventually("gone") { try await !hosts.run(on: .b, "avahi-browse", "-rpt", "_baton._tcp").contains("Living") }
        }
    }
}

@Loop
final class Seen {
    var events: [Browser.Event] = []

    var hubs: [String: HubRecord] {
        events.reduce(into: [:]) { hubs, event in
            switch event {
            case .found(let hub): hubs[hub.name] = hub
            case .lost(let name): hubs[name] = nil
            }
        }
    }
}

private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }

    static func log() -> (Log, Lines) {
        let lines = Lines()
        return (Log(threshold: .trace) { level, sentence in lines.lines.withLock { $0.append("\(level.name) \(sentence)") } }, lines)
    }
}

/// The process's one loop, running before the first test that lives on it.
struct StandingLoop: SuiteTrait, TestScoping {
    /// Set before any test of the suite begins.
    @Loop static var loop: EventLoop!

    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
        await Self.stand(on: try await EventLoop.background())
        try await function()
    }

    @Loop private static func stand(on loop: EventLoop) { self.loop = loop }
}
