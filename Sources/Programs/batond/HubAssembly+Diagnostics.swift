import BatonHub
import BatonKernel
import BatonProtocol
import Configuration
import Discovery
import EventLoop
import Player
import Processes
import SQLite
import SocketServer

/// The current facts for `baton doctor`, with a sentence for each problem from the part concerned.
extension HubAssembly: ProgramFacts {
    func logLines(_ query: Commands.ReadLog) -> HubLog? { lines.answer(query) }

    var diagnostics: HubDiagnostics {
        HubDiagnostics(
            listen: ["unix:\(settings.socket)"] + addresses.map { "ws://\($0.reachable.text)" }
                + secure.addresses.map { "wss://\($0.reachable.text)" },
            lanPlain: settings.lanPlain.rawValue,
            discovery: discovery, journal: journal, audio: .init(choice: settings.audio.text, hasPlayer: LibMPV.isThere),
            limits: .init(connections: settings.limits.connections, descriptors: EventLoop.descriptorLimit),
            certificate: secure.certificate, library: libraryDescription)
    }

    /// Memory use, part by part: the counts of the kernel and the allocator, and the sizes of caches.
    var memoryDiagnostics: HubDiagnostics.Memory {
        var parts: [HubDiagnostics.Memory.Part] = []
        if let process = ProcessFigures.now {
            parts.append(
                .init(
                    "process",
                    [.init("resident", process.residentBytes), .init("own", process.ownBytes), .init("threads", process.threads)]))
        }
        let allocator = Allocator.figures
        parts.append(
            .init(
                "allocator",
                [
                    .init("heap", allocator.heap), .init("used", allocator.used), .init("free", allocator.free),
                    .init("mapped", allocator.mapped),
                ]))
        let sqlite = SQLiteFigures.now
        parts.append(
            .init(
                "sqlite", [.init("used", sqlite.usedBytes), .init("pages", sqlite.pageBytes), .init("journal", store.measure.cacheBytes)]))
        parts.append(hub.memoryFigures)
        parts.append(
            .init(
                "sockets",
                [
                    .init("connections", server.connectionCount), .init("watched", loop.watchCount), .init("alarms", loop.alarmCount),
                ]))
        parts.append(.init("player", [.init("handles", LibMPV.handleCount)]))
        return HubDiagnostics.Memory(parts)
    }

    private var discovery: HubDiagnostics.Discovery {
        guard settings.discovery else { return .init(state: .off) }
        guard let advertiser else { return .init(state: .alone) }
        switch advertiser.state {
        case .withdrawn, .registering: return .init(state: .registering)
        case .published(let name): return .init(state: .published, name: name)
        case .noBus: return .init(state: .failed, problem: "There is no system bus to reach avahi-daemon through.")
        case .waiting: return .init(state: .failed, problem: "avahi-daemon is not running.")
        case .failed(let sentence): return .init(state: .failed, problem: sentence)
        }
    }

    var libraryDescription: HubDiagnostics.Library? {
        if let rooms { return rooms.description }
        return hasSettled ? .init(problem: "The library could not be opened; the hub's log says why.") : nil
    }

    private var journal: HubDiagnostics.Journal {
        let health = store.health
        let measure = store.measure
        return HubDiagnostics.Journal(
            path: measure.path, schema: measure.schema, bytes: measure.bytes, logBytes: measure.logBytes, freeBytes: measure.freeBytes,
            writtenMs: measure.writtenMs, problem: health.trouble?.sentence, notices: health.notices)
    }
}
