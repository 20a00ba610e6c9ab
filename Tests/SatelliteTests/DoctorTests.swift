import BatonClient
import BatonCore
import BatonProtocol
import Testing

@testable import baton

@Suite struct `The doctor draws conclusions` {
    private static let house = HouseInfo(
        listen: ["unix:/run/hub.sock", "ws://127.0.0.1:9442"], lanPlain: "off", discovery: .init(.alone),
        journal: .init(path: "/data/state.db", schema: 1, bytes: 72 << 10, freeBytes: 1 << 40, writtenMs: 1_000_000),
        audio: .init(choice: "auto", hasPlayer: true), limits: .init(connections: 1024, descriptors: 20_000))

    private func findings(
        version: String = BatonVersion.text, wallMs: Int64 = 1_060_000, port: String? = nil, _ change: (inout HouseInfo) -> Void = { _ in }
    ) -> [Finding] {
        var house = Self.house
        change(&house)
        let info = HubInfo(
            id: "7Qm2k0Vx", name: "Home", version: version, epoch: "e", boot: "b", upMs: 61_000, rooms: [RoomID("main")], connections: 3,
            wallMs: 1_060_000, house: house)
        return HubVisit(
            endpoint: .unix(path: "/run/hub.sock"), info: info, mirror: Mirror(), roundTripUs: 120, clockErrorUs: 60, wallMs: wallMs,
            ports: [(.tcp(host: "127.0.0.1", port: 9442), port)]
        ).findings
    }

    private func marks(_ findings: [Finding]) -> [String: Finding.Mark] {
        Dictionary(findings.filter { $0.mark != .ok }.map { ($0.part, $0.mark) }, uniquingKeysWith: { first, _ in first })
    }

    @Test func `all is well`() {
        let all = findings()
        #expect(marks(all).isEmpty && all.isWell && all.summary == "All is well.")
        #expect(all.contains { $0.found.contains("/data/state.db: 72 KiB, schema 1, written 1 min ago.") })
    }

    @Test func `each ailment has a mark of its own`() {
        #expect(marks(findings(version: "9.9.9")) == ["version": .warn])
        #expect(marks(findings(port: "127.0.0.1:9442 refuses.")) == ["port": .fail])
        #expect(marks(findings(wallMs: 1_080_000)) == ["clock": .warn])
        #expect(marks(findings { $0.journal.problem = "There is no room left." }) == ["journal": .fail])
        #expect(marks(findings { $0.journal.notices = ["It was set aside."] }) == ["journal": .warn])
        #expect(marks(findings { $0.journal.freeBytes = 1000 }) == ["disk": .warn])
        #expect(marks(findings { $0.audio.hasPlayer = false }) == ["sound": .fail])
        #expect(marks(findings { $0.audio.choice = "null" }) == ["sound": .warn])
        #expect(marks(findings { $0.limits.descriptors = 1024 }) == ["limits": .warn])
    }

    @Test func `whoever wants to be seen and is not has a problem, and whoever does not want to has none`() {
        func finding(_ sight: NetworkSight, _ discovery: HouseInfo.Discovery) -> Finding.Mark {
            var house = Self.house
            house.discovery = discovery
            let info = HubInfo(
                id: "7Qm2k0Vx", name: "Home", version: "1", epoch: "e", boot: "b", upMs: 1, rooms: [], connections: 0, house: house)
            return sight.finding(of: info).mark
        }
        #expect(finding(.hubs([]), .init(.alone)) == .ok)
        #expect(finding(.hubs([]), .init(.published, name: "Home")) == .warn)
        #expect(finding(.hubs([]), .init(.failed, problem: "avahi-daemon is not running.")) == .fail)
        #expect(finding(.blind("There is no system bus."), .init(.alone)) == .warn)
        #expect(finding(.blind("There is no system bus."), .init(.failed)) == .fail)
    }
}
