import BatonAdmin
import BatonHub
import BatonSeams
import Configuration
import EventLoop
import Player
import Processes
import SocketServer
import Stores
/// Metrics of the whole program for monitoring, and its health.

@Loop
final class MetricsAssembly {
    private let readers: Metrics.Readers?
    private let address: ListenAddress?
    private weak var hub: HubAssembly?

    /// Registers the routes. The hub counts commands only if someone may read the metrics.
    init(_ settings: HubSettings, in routes: inout Routes) {
        (readers, address) =
            switch settings.metrics {
            case .off: (nil, nil)
            case .admins: (.admins, nil)
            case .apart(let address): (.ownListener, address)
            }
        Metrics.registerHealth({ [weak self] in self?.hub?.problems ?? [] }, in: &routes)
        guard let readers else { return }
        Metrics.register(for: readers, figures: { [weak self] in self?.hub?.metricFamilies ?? [] }, in: &routes)
    }

    func open(_ hub: HubAssembly) throws(SocketsError) {
        self.hub = hub
        guard readers != nil else { return }
        hub.hub.countCommands()
        if let address { port = try hub.server.listen(tcp: address.host, port: address.port, as: Metrics.listener) }
    }

    private var port: UInt16?

    /// The metrics' address, if they have their own.
    var page: String? {
        guard let address, let port else { return nil }
        return "http://\(ListenAddress(host: address.host, port: port).reachable.text)/metrics"
    }
}

extension HubAssembly {
    /// Problems that keep the hub from working, as sentences.
    var problems: [String] {
        var problems: [String] = []
        if !hasSettled { problems.append("The hub is still starting.") }
        if let sentence = hub.hold.sentence { problems.append(sentence) }
        if let trouble = store.health.trouble { problems.append(trouble.sentence) }
        if let trouble = libraryDescription?.problem { problems.append(trouble) }
        return problems
    }

    var metricFamilies: [MetricFamily] { hub.metricFamilies + serverFamilies + journalFamilies + processFamilies }

    private var serverFamilies: [MetricFamily] {
        let written = server.written
        return [
            .gauge("connections", help: "Connections of all kinds.", Double(server.connectionCount)),
            .counter("websocket_frames", help: "Frames that were sent to WebSockets.", Double(written.frames)),
            .counter("websocket_sent_bytes", help: "Bytes that were sent to WebSockets.", Double(written.bytes)),
            .counter("loop_stalls", help: "Callbacks that kept the event loop for more than 5 ms.", Double(loop.slowCallbacks)),
            .gauge("players", help: "Players that are open.", Double(LibMPV.handleCount)),
        ]
    }

    private var journalFamilies: [MetricFamily] {
        let measure = store.measure
        var families: [MetricFamily] = [
            .gauge("journal_size_bytes", help: "The file in which queues and positions are kept.", Double(measure.bytes)),
            .gauge("journal_log_bytes", help: "What was written and is not yet in that file.", Double(measure.logBytes)),
            .gauge("journal_trouble", help: "1 while the journal cannot be written.", store.health.trouble == nil ? 0 : 1),
        ]
        if let free = measure.freeBytes {
            families.append(.gauge("disk_free_bytes", help: "What is free on the disk of the journal.", Double(free)))
        }
        return families
    }

    private var processFamilies: [MetricFamily] {
        guard let process = ProcessFigures.now else { return [] }
        return [
            .gauge("memory_resident_bytes", help: "Memory of the hub, with that of its libraries.", Double(process.residentBytes)),
            .gauge("memory_own_bytes", help: "Memory of the hub that lies in no file.", Double(process.ownBytes)),
            .gauge("threads", help: "Threads of the hub.", Double(process.threads)),
        ]
    }
}
