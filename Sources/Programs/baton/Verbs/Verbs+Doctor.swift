import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Discovery
import Glibc

/// `baton doctor`: examines the hub, or, when none answers, looks for the reason on this machine.
extension Verb {
    @Sendable static func doctor(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        // The search of the network takes seconds, so the hub is asked at the same time.
        async let looking = NetworkSight.look(satellite.finder)
        let findings: [Finding]
        switch await HubCheckup.pay(call, satellite) {
        case .success(let visit): findings = visit.findings + [await looking.finding(of: visit.info)]
        case .failure(let absence):
            let home = call.hub == nil ? await LocalHubSetup(call.environment).findings(satellite.transport) : []
            findings = [absence.finding] + home + [await looking.finding(of: nil)]
        }
        if call.json {
            Output.json { writer in
                writer.object { result in
                    result.member("ok", findings.isWell)
                    result.member("findings", array: { list in for finding in findings { finding.encode(into: &list) } })
                }
            }
        } else {
            let ink = call.ink
            for line in findings.flatMap({ $0.lines(ink) }) { Output.verbatim(line) }
        }
        guard findings.isWell else { throw Stop(.refused, findings.summary) }
        if !call.json { Output.line(findings.summary) }
    }
}

/// The hubs that this machine sees on the network, or why it sees none.
enum NetworkSight: Sendable {
    case hubs([HubRecord])
    case blind(String)

    static func look(_ finder: HubFinder) async -> NetworkSight {
        do { return .hubs(try await finder.discover()) } catch { return .blind("\(error)") }
    }

    /// The finding about discovery. `info` comes from the hub that answers; `nil` if none does.
    func finding(of info: HubInfo?) -> Finding {
        switch (self, info?.diagnostics?.discovery) {
        case (.blind(let sentence), let discovery):
            let needed = discovery.map { $0.state == .published || $0.state == .failed || $0.state == .registering } ?? false
            let advice =
                "sudo apt install avahi-daemon, then systemctl start avahi-daemon; needed to find hubs and remotes on other machines."
            return needed ? .fail("network", sentence, advice: advice) : .warn("network", sentence, advice: advice)
        case (.hubs(let hubs), .some(let discovery)): return Self.finding(discovery, among: hubs, id: info?.id ?? "")
        case (.hubs(let hubs), nil): return .ok("network", "It can be searched; \(Self.list(hubs)).")
        }
    }

    private static func finding(_ discovery: HubDiagnostics.Discovery, among hubs: [HubRecord], id: String) -> Finding {
        let seen = hubs.first { $0.id == id }
        switch discovery.state {
        case .off: return .ok("network", "The hub was told not to announce itself; \(list(hubs)).")
        case .alone: return .ok("network", "Only this machine may connect, so the hub is not announced; \(list(hubs)).")
        case .failed:
            return .fail(
                "network", discovery.problem ?? "The hub cannot announce itself.",
                advice: "Start avahi-daemon on the hub's machine; until then name the hub's address: --hub HOST:PORT.")
        case .registering, .published:
            if let seen { return .ok("network", "Seen as “\(seen.name)” at \(seen.addresses.min()?.text ?? "no address").") }
            return .warn(
                "network", "The hub announces itself as “\(discovery.name ?? id)”, and that is not seen from here.",
                advice: "A firewall may keep UDP port 5353 shut, or the hub is on another network: name its address with --hub.")
        }
    }

    private static func list(_ hubs: [HubRecord]) -> String {
        switch hubs.count {
        case 0: "no hub is announced"
        case 1: "one hub is announced, “\(hubs[0].name)”"
        default: "\(hubs.count) hubs are announced"
        }
    }
}
