import BatonHub
import BatonProtocol
import BatonSeams
import Configuration
import EventLoop
import Glibc
import ProcessMemory
import StateStore

/// `batond` from its first word to its last. What can fail before the loop runs ends it with a
/// sentence; from then on it ends only by a signal, and in order: remotes are told, state is kept,
/// players are let go.
enum Daemon {
    /// What the process ends with.
    private enum Exit: Int32 {
        case done = 0
        /// The hub could not start, or could not go on.
        case failed = 1
        /// Its settings make no sense.
        case usage = 2
    }

    private static let signals = [SIGTERM, SIGINT, SIGHUP]

    static func main(_ words: [String]) -> Int32 {
        do throws(ConfigurationFault) {
            switch try HubConfiguration.resolve(words, around: .current()) {
            case .help(let text): print(text, terminator: "")
            case .version: print("batond \(HubIdentity.version)")
            case .run(let settings, let warnings): return run(settings, warnings)
            }
            return Exit.done.rawValue
        } catch {
            for sentence in error.sentences { complain(sentence) }
            return Exit.usage.rawValue
        }
    }

    private static func run(_ settings: HubSettings, _ warnings: [String]) -> Int32 {
        Allocator.configure()
        let log = Log.standardError(from: settings.log)
        for warning in warnings { log(.warning, warning) }
        do {
            // Opening waits for the disk, so it comes before the loop.
            let store = try StateStore(folder: settings.data, freshEpoch: Token.random(length: 6))
            return try EventLoop.run(log: log, blocking: signals) { loop in await live(settings, store, loop, log).rawValue }
        } catch let fault as JournalFault {
            complain(fault.sentence)
        } catch let fault as KeyStoreFault {
            complain(fault.sentence)
        } catch {
            complain("\(error)")
        }
        return Exit.failed.rawValue
    }

    @Loop
    private static func live(_ settings: HubSettings, _ store: StateStore, _ loop: EventLoop, _ log: Log) async -> Exit {
        let stop = loop.signals(signals)
        do {
            // In steps: each is a turn of the loop, and none of them a long one.
            let keys = try SecurePort.keys(settings)
            await Task.yield()
            let diagnostics = try HubAssembly(settings, store, keys, loop, log)
            try await diagnostics.open()
            diagnostics.announce()
            let settling = Task(executorPreference: loop.blockingPool) { await diagnostics.settleIn() }
            for await _ in stop { break }
            log(.notice, "Stopping.")
            settling.cancel()
            await settling.value
            await diagnostics.close()
            return .done
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

    private static func complain(_ sentence: String) {
        fflush(nil)
        var bytes = Array("batond: \(sentence)\n".utf8)
        _ = write(STDERR_FILENO, &bytes, bytes.count)
    }
}
