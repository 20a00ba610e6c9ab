import BatonClient
import BatonCore
import BatonProtocol
import BatonWire
import Foundation
import Testing

@testable import baton

@Suite struct `The doctor draws conclusions` {
    private static let diagnostics = HubDiagnostics(
        listen: ["unix:/run/hub.sock", "ws://127.0.0.1:9442"], lanPlain: "off", discovery: .init(state: .alone),
        journal: .init(path: "/data/state.db", schema: 1, bytes: 72 << 10, freeBytes: 1 << 40, writtenMs: 1_000_000),
        audio: .init(choice: "auto", hasPlayer: true), limits: .init(connections: 1024, descriptors: 20_000))

    private static let day: Milliseconds = 86_400_000

    private func findings(
        version: String = BatonVersion.text, wallMs: Milliseconds = 1_060_000, port: String? = nil, devices: DeviceList? = nil,
        folders: LibraryFolders? = nil, firewall: Firewall? = nil, source: SourcesSection.Source? = nil,
        mirror: Mirror = Mirror(), dialects: DialectList? = nil,
        _ change: (inout HubDiagnostics) -> Void = { _ in }
    ) -> [Finding] {
        var diagnostics = Self.diagnostics
        change(&diagnostics)
        let info = HubInfo(
            id: "7Qm2k0Vx", name: "Home", version: version, core: "1.0", features: [], epoch: "e", boot: "b", upMs: 61_000,
            rooms: [RoomID("main")],
            connections: 3,
            wallMs: 1_060_000, diagnostics: diagnostics)
        let checkup = HubCheckup(
            endpoint: .unix(path: "/run/hub.sock"), info: info, mirror: mirror, roundTripUs: 120, clockErrorUs: 60, wallMs: wallMs,
            ports: [(.tcp(host: "127.0.0.1", port: 9442), port)], devices: devices, folders: folders, firewall: firewall, dialects: dialects
        )
        return source.map { checkup.findings(about: $0) } ?? checkup.findings
    }

    @Test func `plays that a server may count twice are told, and are no worry`() {
        func told(_ repeated: Int) -> [Finding] {
            findings(source: .init(name: "attic", kind: "subsonic", title: "The attic", state: .ok, latencyMs: 7, repeated: repeated))
        }
        #expect(told(0).count == 1)
        #expect(marks(told(2)).isEmpty)
        #expect(told(2).last?.found.hasPrefix("2 plays were sent to The attic (attic) again, for the answer was lost") == true)
        #expect(told(1).last?.found.hasPrefix("One play was sent") == true)
    }

    private static func device(
        _ id: String, _ name: String, _ role: Role, connections: Int = 0, seenMs: Milliseconds, kind: String = "device"
    ) -> DeviceList.Row {
        DeviceList.Row(id: DeviceID(id), name: name, role: role, kind: kind, connections: connections, pairedMs: 0, seenMs: seenMs)
    }

    private static func withCertificate(days: Int) -> (inout HubDiagnostics) -> Void {
        { diagnostics in
            diagnostics.listen.append("wss://127.0.0.1:9443")
            diagnostics.certificate = .init(root: "AA:BB", names: ["attic.local", "10.0.0.7"], untilMs: 1_060_000 + day * days)
        }
    }

    private func marks(_ findings: [Finding]) -> [String: Finding.Mark] {
        Dictionary(findings.filter { $0.mark != .ok }.map { ($0.part, $0.mark) }, uniquingKeysWith: { first, _ in first })
    }

    @Test func `all is well`() {
        let all = findings()
        #expect(marks(all).isEmpty && all.isWell && all.summary == "All is well.")
        #expect(all.contains { $0.found.contains("/data/state.db: 72 KiB, schema 1, written 1 min ago.") })
    }

    @Test func `other protocols are told with where programs reach them, and are a worry only with a problem`() {
        func told(_ row: DialectList.Row) -> [Finding] { findings(dialects: DialectList([row])).filter { $0.part == "mpd" } }
        let well = told(DialectList.Row(dialect: "mpd", isOn: true, addresses: ["127.0.0.1:6600", "/run/mpd.sock"], connected: 2))
        #expect(well.map(\.mark) == [.ok])
        #expect(well.map(\.found) == ["2 programs are connected at 127.0.0.1:6600, /run/mpd.sock."])
        let taken = told(DialectList.Row(dialect: "mpd", isOn: true, problem: "127.0.0.1:6600 is taken.", connected: 0))
        #expect(taken.map(\.mark) == [.warn] && taken[0].found == "127.0.0.1:6600 is taken. No programs are connected.")
        #expect(told(DialectList.Row(dialect: "mpd", isOn: false)).map(\.found) == ["It is switched off."])
        #expect(!findings().contains { $0.part == "mpd" })
    }

    @Test func `what the hub holds in memory is said where it is told`() {
        let told = findings {
            $0.memory = .init([.init("process", [.init("resident", 48 << 20), .init("own", 12 << 20), .init("threads", 9)])])
        }
        #expect(told.contains { $0.part == "memory" && $0.found == "48 MiB, of which 12 MiB are in no file, 9 threads." })
        #expect(!findings().contains { $0.part == "memory" })
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

    @Test func `a feature that does not run is told with its sentence`() throws {
        let sentence = "The feature “copies” does not run as it should. kept.db is damaged."
        let problems = #""problems":[{"msg":"\#(sentence)"}]"#
        let text = #"{"t":"state","full":1,"rev":1,"s":{"hub":{"id":"h","version":"1","name":"Home",\#(problems)}}}"#
        guard case .state(let update) = try HubMessage.decode(Array(text.utf8)) else { throw Stop(.usage, "no state") }
        var mirror = Mirror()
        _ = try mirror.apply(update)

        #expect(findings(mirror: mirror).filter { $0.part == "problem" && $0.mark == .warn }.map(\.found) == [sentence])
    }

    @Test func `a certificate is told with its names, its days and its root, and is no worry until it is not made anew`() {
        let well = findings(Self.withCertificate(days: 397))
        #expect(marks(well).isEmpty)
        #expect(well.contains { $0.part == "certificate" && $0.found == "For attic.local, 10.0.0.7; 397 days more. Its root: AA:BB" })
        #expect(marks(findings(Self.withCertificate(days: 13))) == ["certificate": .warn])
        #expect(marks(findings(Self.withCertificate(days: -1))) == ["certificate": .fail])
        #expect(findings().contains { $0.part == "reach" && $0.found.contains("no encrypted port") })
    }

    @Test func `who is paired is told with when each was last here`() {
        let list = DeviceList([
            Self.device("d_1", "Ana phone", .remote, connections: 1, seenMs: 0),
            Self.device("d_2", "Wall", .listener, seenMs: 1_060_000 - Self.day * 3, kind: "browser"),
            Self.device("d_3", "Old", .admin, seenMs: 1_060_000 - Self.day * 200),
        ])
        let all = findings(devices: list)
        #expect(all.filter { $0.part == "device" }.map(\.mark) == [.ok, .ok, .warn])
        #expect(all.contains { $0.found == "“Ana phone”, remote, here now." })
        #expect(all.contains { $0.found == "“Wall”, listener, seen 3 days ago." })
        #expect(all.contains { $0.found == "“Old”, admin, seen 200 days ago." && $0.advice?.contains("baton devices revoke d_3") == true })

        let locked = findings(devices: DeviceList([], isLocked: true))
        #expect(marks(locked) == ["pairing": .warn])
        #expect(locked.contains { $0.part == "devices" && $0.found.contains("baton pair --open") })
        #expect(!findings().contains { $0.part == "devices" }, "who may not ask is told nothing")
    }

    private static func report(failed: Int) -> ScanReport {
        var report = ScanReport()
        report.seen = 40
        report.read = 40 - failed
        report.failed = failed
        report.isDone = true
        return report
    }

    @Test func `a library is told with its reader, its folders and its last scan, and each ailment has a mark`() {
        let music = LibraryFolders([.init(path: "/srv/music", tracks: 40)], report: Self.report(failed: 0))
        let well = findings(folders: music) { $0.library = .init(path: "/data/library.db") }
        #expect(marks(well).isEmpty)
        #expect(
            well.filter { ["library", "reader", "folder", "scan", "watch"].contains($0.part) }.map(\.part) == [
                "library", "reader", "folder", "scan", "watch",
            ])
        #expect(well.contains { $0.found == "/srv/music: 40 tracks." } && well.contains { $0.found == "Scanned: 40 files, 40 read." })

        #expect(marks(findings { $0.library = .init(problem: "It cannot be opened.") }) == ["library": .fail])
        #expect(marks(findings { $0.library = .init(notices: ["It was set aside."]) }) == ["library": .warn])
        #expect(marks(findings { $0.library = .init(unread: "baton-reader is missing.") }) == ["reader": .fail])
        #expect(marks(findings { $0.library = .init(unwatched: "The system watches no more.") }) == ["watch": .warn])
        let gone = LibraryFolders([.init(path: "/stick", tracks: 3, problem: "/stick is not there.")], report: Self.report(failed: 2))
        #expect(marks(findings(folders: gone) { $0.library = .init() }) == ["folder": .warn, "scan": .warn])
        #expect(findings(folders: LibraryFolders([])) { $0.library = .init() }.contains { $0.found.contains("baton library add") })
        #expect(!findings(folders: music).contains { $0.part == "folder" }, "a hub without a library is told nothing of one")
    }

    @Test func `what a library is told by is nothing of places to those who are no admin`() {
        var diagnostics = Self.diagnostics
        diagnostics.library = .init(
            path: "/data/library.db", unread: "Looked in /usr.", unwatched: "Not /music.", notices: ["/data was damaged."])
        let told = diagnostics.withoutLocations.library
        #expect(told?.path == nil && told?.notices == [] && told?.unread?.contains("/") == false && told?.unwatched?.contains("/") == false)
    }

    @Test func `a firewall is told with what opens it, and is a worry only where it is known to keep others out`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "baton-doctor-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func write(_ text: String, _ path: String) throws {
            let file = URL(filePath: folder + path)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        func mark() -> Finding.Mark? {
            findings(firewall: Firewall.look(in: folder), Self.withCertificate(days: 100)).first { $0.part == "firewall" }?.mark
        }

        #expect(mark() == nil)
        try write("ENABLED=no\n", "/etc/ufw/ufw.conf")
        #expect(mark() == nil)
        try write("# on\nENABLED=yes\n", "/etc/ufw/ufw.conf")
        #expect(mark() == .ok, "its rules cannot be read")
        try write("-A ufw-user-input -p tcp --dport 94430 -j ACCEPT\n", "/etc/ufw/user.rules")
        #expect(mark() == .warn)
        try write("-A ufw-user-input -p tcp --dport 9443 -j ACCEPT\n", "/etc/ufw/user6.rules")
        #expect(mark() == .ok)
        try FileManager.default.removeItem(atPath: folder + "/etc")
        try write("17\n", "/run/firewalld.pid")
        let told = findings(firewall: Firewall.look(in: folder), Self.withCertificate(days: 100)).first { $0.part == "firewall" }
        #expect(told?.found.contains("--add-port=9443/tcp --add-service=mdns") == true)
    }

    @Test func `whoever wants to be seen and is not has a problem, and whoever does not want to has none`() {
        func finding(_ sight: NetworkSight, _ discovery: HubDiagnostics.Discovery) -> Finding.Mark {
            var diagnostics = Self.diagnostics
            diagnostics.discovery = discovery
            let info = HubInfo(
                id: "7Qm2k0Vx", name: "Home", version: "1", core: "1.0", features: [], epoch: "e", boot: "b", upMs: 1, rooms: [],
                connections: 0,
                diagnostics: diagnostics)
            return sight.finding(of: info).mark
        }
        #expect(finding(.hubs([]), .init(state: .alone)) == .ok)
        #expect(finding(.hubs([]), .init(state: .published, name: "Home")) == .warn)
        #expect(finding(.hubs([]), .init(state: .failed, problem: "avahi-daemon is not running.")) == .fail)
        #expect(finding(.blind("There is no system bus."), .init(state: .alone)) == .warn)
        #expect(finding(.blind("There is no system bus."), .init(state: .failed)) == .fail)
    }
}
