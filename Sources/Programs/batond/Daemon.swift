import BatonHub
import BatonProtocol
import BatonSeams
import Configuration
import EventLoop
import Glibc
import Processes
import Stores

/// The life of `batond`. Errors before the loop runs end it with a sentence. Afterwards only a signal ends it, in
/// order: remotes are notified, state is saved, players are closed.
enum Daemon {
    /// The exit code of the process.
    enum Exit: Int32 {
        case done = 0
        /// The hub could not start or continue. With `--check`: it would start, with warnings.
        case failed = 1
        /// The settings are invalid.
        case usage = 2
        /// The hub restarts in the same process.
        case again = 3
    }

    private static let signals = [SIGTERM, SIGINT, SIGHUP, Restarting.signal]

    static func main(_ words: [String]) -> Int32 {
        let around = ProcessEnvironment.current()
        do throws(ConfigurationFault) {
            switch try HubConfiguration.resolve(words, around: around) {
            case .help(let text): print(text, terminator: "")
            case .version: print("batond \(HubIdentity.version)")
            case .check(let settings, let warnings): return Checking.run(settings, warnings).rawValue
            case .restore(let settings, let file, let takesOthers): return Restoring.run(settings, file, takesOthers: takesOthers).rawValue
            case .run(let settings, let warnings):
                return run(Start(words: words, around: around, settings: settings, warnings: warnings)).rawValue
            }
            return Exit.done.rawValue
        } catch {
            for sentence in error.sentences { complain(sentence) }
            return Exit.usage.rawValue
        }
    }

    /// The arguments, settings and environment of the process.
    struct Start: Sendable {
        var words: [String]
        var around: ProcessEnvironment
        var settings: HubSettings
        var warnings: [String]
    }

    private static func run(_ start: Start) -> Exit {
        Allocator.configure()
        let settings = start.settings
        let notifier = ServiceNotifier(environment: start.around.environment, process: getpid())
        // Environment variables may change only while there is a single thread.
        let inherited = InheritedSocket.take(environment: start.around.environment, process: getpid())
        let restarting = Restarting(keeping: inherited)
        let lines = LogRing()
        let log = Log.standardError(from: settings.log, environment: start.around.environment, hub: settings.name, lines: lines)
        for warning in start.warnings { log(.warning, warning) }
        do {
            // Opening blocks on the disk, so it happens before the loop starts.
            notifier.says("Opening the data folder.")
            let store = try StateStore(folder: settings.data, freshEpoch: Token.random(length: 6)) { folder throws(JournalFault) in
                try Restoring.takeOver(in: folder, log)
            }
            let crashes = CrashFile(in: settings.data, log)
            let users = UsersAssembly.open(settings, log)
            let code = try EventLoop.run(log: log, blocking: signals) { loop in
                await live(
                    start, store: store, crashes: crashes, users: users, sockets: GivenSockets(inherited, for: settings, log: log),
                    notifier: notifier, on: loop, log: log, lines: lines
                ).rawValue
            }
            let exit = Exit(rawValue: code) ?? .failed
            guard exit == .again else { return exit }
            restarting.begin()
            complain("The hub could not start again by itself. Start it; the backup is taken over then.")
        } catch let fault as JournalFault {
            complain(fault.sentence)
        } catch let fault as KeyStoreFault {
            complain(fault.sentence)
        } catch {
            complain("\(error)")
        }
        return .failed
    }

    @Loop
    private static func live(
        _ start: Start, store: StateStore, crashes: CrashFile?, users: UsersAssembly?, sockets: GivenSockets,
        notifier: ServiceNotifier, on loop: EventLoop, log: Log, lines: LogRing
    ) async -> Exit {
        let stop = loop.signals(signals)
        do {
            // Each step is a turn of the loop of its own, so that no turn takes long.
            let keys = try SecurePort.keys(start.settings)
            await Task.yield()
            let assembly = try HubAssembly(
                start.settings, store: store, crashes: crashes, keys: keys, users: users, sockets: sockets, loop: loop, log: log,
                lines: lines)
            try await assembly.open()
            assembly.announce()
            let heartbeat = Heartbeat(notifier, loop)
            notifier.ready(assembly.place)
            let settling = Task(executorPreference: loop.blockingPool) { await assembly.settleIn() }
            var reloading = Reloading(start, assembly: assembly, notifier: notifier, loop: loop, log: log)
            var startsAgain = false
            for await signal in stop {
                if signal == Restarting.signal {
                    startsAgain = assembly.backups.wantsRestart
                    if startsAgain { break }
                } else if signal == SIGHUP, reloading.isWanted {
                    await reloading.read()
                } else {
                    break
                }
            }
            // A request to stop during a restart takes precedence over the restart.
            let asked = Task(executorPreference: Loop.jobs) { await isAskedToEnd(stop) }
            if startsAgain { notifier.reloading(nowUs: loop.nowUs) } else { notifier.stopping() }
            log(.notice, startsAgain ? "Starting again." : "Stopping.")
            settling.cancel()
            await settling.value
            await assembly.close()
            heartbeat.stop()
            asked.cancel()
            return startsAgain ? await asked.value ? .done : .again : .done
        } catch let error as SocketsError {
            complain(error.sentence)
        } catch let fault as JournalFault {
            complain(fault.sentence)
        } catch let fault as KeyStoreFault {
            complain(fault.sentence)
        } catch {
            complain("\(error)")
        }
        return .failed
    }

    private nonisolated static func isAskedToEnd(_ signals: AsyncStream<Int32>) async -> Bool {
        for await signal in signals where signal == SIGTERM || signal == SIGINT { return true }
        return false
    }

    static func complain(_ sentence: String) {
        fflush(nil)
        // In the journal the sentence becomes an error; in a terminal it follows the program's name.
        if let journal = JournalLog(environment: ProcessEnvironment.current().environment, fields: [("SYSLOG_IDENTIFIER", "batond")]) {
            return journal.write(.error, sentence)
        }
        var bytes = Array("batond: \(sentence)\n".utf8)
        _ = write(STDERR_FILENO, &bytes, bytes.count)
    }
}
