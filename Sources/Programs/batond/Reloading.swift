/// Reloads the configuration at SIGHUP. Settings that may change while the hub runs are applied; the log names the
/// others.
import BatonSeams
import Configuration
import EventLoop
import Glibc
import Processes

@Loop
struct Reloading {
    private let start: Daemon.Start
    private var settings: HubSettings
    private let assembly: HubAssembly
    private let notifier: ServiceNotifier
    private let loop: EventLoop
    private let log: Log
    /// False in a terminal, where the signal means that the terminal was closed and the hub should end.
    let isWanted: Bool

    init(_ start: Daemon.Start, assembly: HubAssembly, notifier: ServiceNotifier, loop: EventLoop, log: Log) {
        self.start = start
        settings = start.settings
        self.assembly = assembly
        self.notifier = notifier
        self.loop = loop
        self.log = log
        let terminal = Glibc.open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        isWanted = terminal < 0
        if terminal >= 0 { Glibc.close(terminal) }
    }

    mutating func read() async {
        notifier.reloading(nowUs: loop.nowUs)
        let (start, running) = (start, settings)
        switch await withTaskExecutorPreference(loop.blockingPool, operation: { await Self.readAgain(start, running) }) {
        case .success(let again):
            settings = again.settings
            assembly.take(settings)
            for warning in again.warnings { log(.warning, warning) }
            for sentence in again.sentences { log(.notice, sentence) }
        case .failure(let fault):
            log(.error, "The configuration was not taken over, and the hub goes on with the one it has:")
            for sentence in fault.sentences { log(.error, sentence) }
        }
        notifier.ready(assembly.place)
    }

    private nonisolated static func readAgain(
        _ start: Daemon.Start, _ running: HubSettings
    ) async -> Result<Reconfiguration, ConfigurationFault> {
        Result { () throws(ConfigurationFault) in try Reconfiguration(start.words, around: start.around, running: running) }
    }
}

/// The service manager's watchdog message. It is sent from the loop, so that a hanging loop sends none.
@Loop
final class Heartbeat {
    private let notifier: ServiceNotifier
    private let loop: EventLoop
    private var alarm: (any Alarm)?

    init(_ notifier: ServiceNotifier, _ loop: EventLoop) {
        self.notifier = notifier
        self.loop = loop
        beat()
    }

    private func beat() {
        guard let every = notifier.heartbeat else { return }
        notifier.isAlive()
        alarm = loop.after(every) { [weak self] in self?.beat() }
    }

    func stop() { alarm?.cancel() }
}
