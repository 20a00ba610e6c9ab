import BatonClient
import BatonCore
import BatonProtocol
import BatonWire
import Glibc

/// The answers of the hub to the questions of `baton doctor`, and the findings that follow from them.
struct HubCheckup: Sendable {
    var endpoint: Endpoint
    var info: HubInfo
    var mirror: Mirror
    var roundTripUs: Microseconds
    /// The possible error of the estimated hub clock.
    var clockErrorUs: Microseconds
    /// This machine's wall clock at the time of the hub's answer.
    var wallMs: Milliseconds
    /// The hub's ports, each with its problem or `nil`.
    var ports: [(endpoint: Endpoint, problem: String?)]
    /// The paired devices; `nil` if this remote is not an admin.
    var devices: DeviceList?
    /// The library's folders and its last scan; `nil` if this remote is not an admin.
    var folders: LibraryFolders?
    /// The offline copies on its disk; `nil` if the hub cannot keep any.
    var kept: KeptList?
    /// The firewall of the hub's machine; examined on that machine only.
    var firewall: Firewall?
    /// Other protocols that the hub speaks; `nil` if this remote is not an admin.
    var dialects: DialectList?

    /// The reason why the hub could not be asked.
    struct Absence: Error {
        let finding: Finding
    }

    static func pay(_ call: Invocation, _ satellite: Satellite) async -> Result<HubCheckup, Absence> {
        let visit = Found()
        do {
            try await satellite.withHub(call) { hub in
                try await limited(to: call.timeout, sentence: "\(hub.endpoint) did not answer in time.") {
                    await visit.set(try await look(at: hub, satellite))
                }
            }
        } catch {
            let stop = Satellite.stop(for: error)
            let advice =
                switch stop.exit {
                case .noHub: call.hub == nil ? "Start one: batond" : "Check the name, and that the hub runs: baton discover"
                default: "Look at the hub's log, and start it again."
                }
            return .failure(Absence(finding: .fail("hub", stop.sentence, advice: advice)))
        }
        guard let visit = await visit.value else {
            return .failure(Absence(finding: .fail("hub", "The visit was cut short.", advice: "Try again.")))
        }
        return .success(visit)
    }

    private actor Found {
        private(set) var value: HubCheckup?
        func set(_ visit: HubCheckup) { value = visit }
    }

    private static func look(at hub: ReconnectingHub, _ satellite: Satellite) async throws -> HubCheckup {
        let mirror = try await hub.stateWithAllProblems()
        // This query comes first: its answer waits until the library is open, so that `hub.info` then includes the
        // result.
        let folders = try await folders(hub)
        let info = try await hub.ask(Commands.Info())
        let wallMs = Clock.wallMs()
        let connection = try await hub.live()
        var best = Microseconds.max
        for _ in 0..<4 { best = min(best, try await connection.exchangeClocks()) }
        let now = Clock.nowUs()
        let filter = await connection.clock
        let error = filter.best(atUs: now).map { filter.errorUs(of: $0, atUs: now) } ?? best / 2
        var ports: [(endpoint: Endpoint, problem: String?)] = []
        if hub.endpoint.isLocal {
            for port in (info.diagnostics?.listen ?? []).compactMap(Endpoint.init(text:)) where port != hub.endpoint {
                ports.append((port, await satellite.trouble(at: port)))
            }
        }
        return HubCheckup(
            endpoint: hub.endpoint, info: info, mirror: mirror, roundTripUs: best, clockErrorUs: error, wallMs: wallMs, ports: ports,
            devices: try await devices(hub), folders: folders, kept: try await kept(hub),
            firewall: hub.endpoint.isLocal ? Firewall.look() : nil, dialects: try await dialects(hub))
    }

    private static func folders(_ hub: ReconnectingHub) async throws -> LibraryFolders? {
        do {
            return try await hub.ask(Commands.Folders())
        } catch is MissingProfile {
            return nil
        } catch let error as WireError where [.forbidden, .unavailable].contains(error.known) {
            return nil
        }
    }

    private static func devices(_ hub: ReconnectingHub) async throws -> DeviceList? {
        do {
            return try await hub.devices().list
        } catch is MissingProfile {
            return nil
        } catch let error as WireError where error.known == .forbidden {
            return nil
        }
    }

    // MARK: Findings

    var findings: [Finding] {
        [answer, version] + held + reach + security + otherProtocols
            + (info.diagnostics.map { diagnostics in
                journal(diagnostics) + audio(diagnostics) + limits(diagnostics) + memory(diagnostics) + library(diagnostics)
            } ?? []) + servers + keeping + problems
            + [clock]
    }

    private var answer: Finding {
        .ok(
            "hub",
            "“\(info.name)” answers at \(endpoint) in \(TimeText.milliseconds(us: roundTripUs)) ms; up \(TimeText.show(ms: info.upMs)).")
    }

    private var version: Finding {
        guard info.version != BatonVersion.text else { return .ok("version", "\(info.version), the hub and this baton alike.") }
        return .warn(
            "version", "The hub is \(info.version), and this baton is \(BatonVersion.text).",
            advice: "They understand each other; update the older one when you can.")
    }

    private var reach: [Finding] {
        var findings = ports.map { port, problem in
            problem.map {
                Finding.fail("port", $0, advice: "Restart the hub, and look at its log: another program may have taken the port.")
            }
                ?? .ok("port", "\(port) answers\(port.isSecure ? ", encrypted" : "").")
        }
        guard let diagnostics = info.diagnostics else { return findings }
        let isAlone = diagnostics.certificate == nil && diagnostics.lanPlain == "off"
        let who =
            isAlone
            ? "Only the hub's own machine may connect: it has no encrypted port."
            : diagnostics.lanPlain == "off"
                ? "Without encryption only the hub's own machine may connect; other devices are paired first: baton pair --open."
                : "Every machine on the network may connect unencrypted, as \(diagnostics.lanPlain)."
        findings.append(.ok("reach", who))
        return findings
    }

    private static let littleRoom = 64 << 20

    private func journal(_ diagnostics: HubDiagnostics) -> [Finding] {
        let journal = diagnostics.journal
        let name = journal.path ?? "The journal"
        var findings = journal.notices.map {
            Finding.warn(
                "journal", $0, advice: "Nothing to do, unless you want to look into the old file; this is told until the hub starts again.")
        }
        if let problem = journal.problem {
            findings.append(.fail("journal", problem, advice: "What plays goes on, and changes are refused until this is mended."))
        } else {
            let written = journal.writtenMs.map { ", written \(TimeText.ago(ms: wallMs - $0))" } ?? ""
            let size = ByteText.show(journal.bytes + journal.logBytes)
            findings.append(.ok("journal", "\(name): \(size), schema \(journal.schema)\(written)."))
        }
        if let free = journal.freeBytes, free < Self.littleRoom {
            findings.append(
                .warn("disk", "There are \(ByteText.show(free)) left for the journal.", advice: "Free some space on that disk."))
        }
        return findings
    }

    private func audio(_ diagnostics: HubDiagnostics) -> [Finding] {
        if diagnostics.audio.hasPlayer == false {
            return [
                .fail(
                    "sound", "libmpv is not installed, so nothing can be played.",
                    advice: "sudo apt install libmpv2, then start the hub again.")
            ]
        }
        let devices = mirror.outputs?.outputs.count ?? 0
        let known = devices == 0 ? "its devices are looked for when it first plays" : devices == 1 ? "one device" : "\(devices) devices"
        switch diagnostics.audio.choice {
        case "null":
            return [.warn("sound", "The hub plays into nothing (--audio null).", advice: "Start it without --audio to hear something.")]
        case "auto": return [.ok("sound", "The player chooses the device; \(known).")]
        case let choice: return [.ok("sound", "It plays to \(choice); \(known).")]
        }
    }

    /// Descriptors that the hub needs for itself: files, the loop, libraries.
    private static let ownDescriptors = 64

    private func limits(_ diagnostics: HubDiagnostics) -> [Finding] {
        let limits = diagnostics.limits
        let figures = "\(info.connections) of \(limits.connections) connections, \(limits.descriptors) descriptors"
        guard limits.descriptors < limits.connections + Self.ownDescriptors else { return [.ok("limits", figures + ".")] }
        return [
            .warn(
                "limits", figures + ": too few for so many.",
                advice: "Raise the limit (LimitNOFILE, or ulimit -n), or lower limit-connections.")
        ]
    }

    /// Memory use, which only admins receive. `baton raw` with `hub.info` shows all numbers.
    private func memory(_ diagnostics: HubDiagnostics) -> [Finding] {
        guard let memory = diagnostics.memory, let resident = memory["process", "resident"], let own = memory["process", "own"] else {
            return []
        }
        let threads = memory["process", "threads"].map { ", \($0) threads" } ?? ""
        return [.ok("memory", "\(ByteText.show(resident)), of which \(ByteText.show(own)) are in no file\(threads).")]
    }

    private var held: [Finding] {
        guard let held = mirror.hub?.held else { return [] }
        let last = "\(ClockText.second(held.atMs)) with \(held.signal)"
        return [
            .fail(
                "work", "The hub crashed \(held.crashes) times soon after its start, last at \(last), so its work waits.",
                advice: "See what its log says before that: baton log. Then let it go on: baton hub resume")
        ]
    }

    /// The problems that the hub shows to all remotes, without those already among the findings.
    private var problems: [Finding] {
        let told =
            [info.diagnostics?.journal.problem].compactMap { $0 } + (info.diagnostics?.journal.notices ?? [])
            + (mirror.sources?.sources ?? []).compactMap(\.sentence)
        return (mirror.hub?.problems ?? []).filter { problem in
            !told.contains { $0.hasPrefix(problem.message.prefix { $0 != "…" }) } && !problem.message.hasSuffix("baton hub resume")
        }.map { problem in
            let room = problem.room.map { "\(RoomNames(mirror).name(of: $0)): " } ?? ""
            return .warn("problem", room + problem.message, advice: "It goes away by itself once this is mended.")
        }
    }

    private static let clocksApartMs: Milliseconds = 2000

    private var clock: Finding {
        let known = "Known to \(TimeText.milliseconds(us: clockErrorUs)) ms"
        guard let hubMs = info.wallMs, (hubMs - wallMs).magnitude > Self.clocksApartMs else { return .ok("clock", known + ".") }
        return .warn(
            "clock", "\(known), but the hub's time of day is \((hubMs - wallMs).magnitude.seconds) s from ours.",
            advice: "Set both by the network: timedatectl set-ntp true")
    }
}
