import BatonSeams
import Foundation
import Testing

@testable import Discovery

/// Names that several hubs or services want at the same time.
extension AvahiTests {
    @Loop @Test func `of two hubs of one name one becomes number 2, and a third on the same machine number 3`() async throws {
        try await TwoHosts.with { hosts in
            let (first, second, third) = (advertiser(), advertiser(), advertiser())
            first.publish(hub)
            try await eventually("the first") { first.state == .published(as: "Living Room") }

            // A daemon that does not defend its name within a second gives it up later, so on a busy machine it may be the first that does.
            hosts.speak(through: .b)
            second.publish(hub)
            try await eventually("two names: \(first.state), \(second.state)") {
                Self.names(of: [first, second]) == ["Living Room", "Living Room #2"]
            }
            var neighbour = hub
            neighbour.plainPort = 9452
            third.publish(neighbour)
            try await eventually("the third: \(third.state)") { third.state == .published(as: "Living Room #3") }

            #expect(Self.names(of: [first, second]) == ["Living Room", "Living Room #2"])
            try await eventually("all three are found") {
                try await browser().discover(for: .seconds(2)).map(\.name) == ["Living Room", "Living Room #2", "Living Room #3"]
            }
            for advertiser in [first, second, third] { advertiser.withdraw() }
        }
    }

    @Loop @Test func `two hubs that took one name while a daemon hung have two when it answers, and both are found`() async throws {
        try await TwoHosts.with { hosts in
            let (first, second) = (advertiser(), advertiser())
            first.publish(hub)
            try await eventually("the first") { first.state == .published(as: "Living Room") }
            hosts.speak(through: .b)
            try await hosts.stopAvahi(on: .a)
            second.publish(hub)
            try await eventually("the same name: \(second.state)") { second.state == .published(as: "Living Room") }

            try await hosts.goOnWithAvahi(on: .a)

            try await eventually("two names: \(first.state), \(second.state)") {
                Self.names(of: [first, second]) == ["Living Room", "Living Room #2"]
            }
            try await eventually("both are found") {
                try await browser().discover(for: .seconds(2)).map(\.name) == ["Living Room", "Living Room #2"]
            }
            for advertiser in [first, second] { advertiser.withdraw() }
        }
    }

    @Loop @Test func `two services of a hub have one name, change in place, and take another name together`() async throws {
        try await TwoHosts.with { hosts in
            let (advertiser, other) = (advertiser(), advertiser())
            var toy = ServiceRecord(type: "_batontoy._tcp", port: 6600, txt: ["v=1"])
            let seen = { (type: String) async throws -> String in try await hosts.run(on: .b, "avahi-browse", "-rpt", type) }
            advertiser.publish(hub, and: [toy])
            try await eventually("published") { advertiser.state == .published(as: "Living Room") }

            try await eventually("the toy") {
                let said = try await seen("_batontoy._tcp")
                return said.contains(#"Living\032Room;_batontoy._tcp;local;baton-a.local"#) && said.contains(#";6600;"v=1""#)
            }
            try await eventually("the hub") { try await seen("_baton._tcp").contains(";9442;") }

            toy.txt = ["v=2"]
            advertiser.publish(hub, and: [toy])
            try await eventually("the new text") { try await seen("_batontoy._tcp").contains(#";6600;"v=2""#) }
            #expect(advertiser.state == .published(as: "Living Room"))

            // Only the second of its services has a name that is taken here.
            advertiser.publish(HubRecord(name: "Living Room", id: nil), and: [toy])
            try await eventually("the hub is gone") { try await !seen("_baton._tcp").contains("Living") }
            toy.port = 6601
            other.publish(hub, and: [toy])
            try await eventually("renamed") { other.state == .published(as: "Living Room #2") }
            for type in ["_baton._tcp", "_batontoy._tcp"] {
                try await eventually(type) { try await seen(type).contains(#"Living\032Room\032\0352"#) }
            }
            for advertiser in [advertiser, other] { advertiser.withdraw() }
        }
    }

    @Loop @Test func `two machines of one name still publish both their hubs`() async throws {
        try await TwoHosts.with { hosts in
            try await hosts.killAvahi(on: .b)
            _ = try await hosts.run(on: .b, "hostname", "baton-a")
            try await hosts.startAvahi(on: .b)
            let (one, other) = (advertiser(), advertiser())
            var kitchen = hub
            kitchen.name = "Kitchen"
            one.publish(hub)
            try await hosts.leave([one])
            other.publish(kitchen)

            // A search that goes on asks again by itself; a daemon that was just started and is busy misses some questions.
            let (browser, seen) = (browser(), Seen())
            browser.browse { seen.events.append($0) }
            try await eventually("both, on two machines", within: .seconds(60)) {
                Set(seen.hubs.values.compactMap(\.host)).count == 2
            }

            // Which number a daemon takes is its own choice: two that probe at the same time may give way several times.
            let names = Set(seen.hubs.values.compactMap(\.host))
            #expect(seen.hubs.keys.sorted() == ["Kitchen", "Living Room"])
            #expect(names.allSatisfy { $0.wholeMatch(of: /baton-a(-[0-9]+)?\.local/) != nil }, "\(names)")
            for advertiser in [one, other] { advertiser.withdraw() }
        }
    }

    /// The names under which hubs are published, in order; those that are not have none.
    @Loop private static func names(of advertisers: [Advertiser]) -> [String] {
        advertisers.compactMap { if case .published(let name) = $0.state { name } else { nil } }.sorted()
    }
}
