/// SIGHUP: reads the configuration again. What a running hub can take over it takes over; the log names the rest.
import BatonSeams
import Configuration
import EventLoop
import Glibc
import ServiceManager

@Loop
struct Reloading {
    private let start: Daemon.Start
    private var settings: HubSettings
    private let assembly: HubAssembly
    private let notifier: ServiceNotifier
    private let loop: EventLoop
    private let log: Log
    /// In a terminal the signal says that the terminal is gone, and the hub ends with it.
    let isWanted: Bool

    init(_ start: Daemon.Start, _ assembly: HubAssembly, _ notifier: ServiceNotifier, _ loop: EventLoop, _ log: Log) {
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

/// The sign of life for the service manager, which comes from the loop: one that hangs gives none.
@Loop
final class Heart {
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
