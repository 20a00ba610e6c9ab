/// Generation of music from prompts: its store, the configured workers, and the built-in composer.
import BatonComposer
import BatonCore
import BatonHub
import BatonKernel
import BatonMaking
import BatonProtocol
import BatonSeams
import Configuration
import Disk
import EventLoop
import Glibc
import HTTPClient
import MusicWorkers
import Processes
import Stores

@Loop
final class GenerationAssembly {
    private let store: JobStore

    private init(_ store: JobStore) { self.store = store }

    /// Opens the store. If that fails, the hub runs without generation.
    static func open(
        _ settings: HubSettings, for hub: Hub, on loop: EventLoop, log: Log, http: HTTPClient
    ) async -> GenerationAssembly? {
        let folder = settings.data
        let opened = await withTaskExecutorPreference(loop.blockingPool) { await Self.store(in: folder) }
        switch opened {
        case .success(let store):
            for notice in store.notices { log(.warning, notice) }
            await hub.open(
                MakingParts(
                    storage: store, workers: workers(settings, http: http, log: log),
                    adding: WorkerParts(
                        storage: WorkerFile(folder: settings.data + "/workers"), maker: WorkerMaker(programs: Programs(), http: http)),
                    numbers: RandomNumbers(),
                    guests: GuestPrompts(
                        settings.guestPrompts, waiting: settings.guestPromptsWaiting, hour: settings.guestPromptsHour),
                    storeBytes: settings.generationStore,
                    mixing: composer.map { ProgramMixer($0, programs: Programs()) }, store: storing()),
                connector(store), LoopConnector(store))
            return GenerationAssembly(store)
        case .failure(let fault):
            hub.note(FeatureFault("What was made from prompts cannot be opened: \(fault.sentence)"), of: .making)
            return nil
        }
    }

    private static func storing() -> SoundStoring? { composer.map { SoundStoring($0, programs: Programs(), files: Disk()) } }

    private static func connector(_ store: JobStore) -> GenerationConnector {
        let worker = builtIn()
        return GenerationConnector(store, cover: Self.cover(of:)) { job throws(SourceFault) in
            guard let worker, job.worker == worker.name else {
                throw SourceFault(.gone, "The sound of “\(job.title)” was removed to make room. Have it made anew: baton jobs retry.")
            }
            let folder = try store.folder(of: job.id, isFresh: false)
            _ = try await worker.make(
                GenerationOrder(id: job.id, request: job.request, memory: nil, folder: folder, author: job.author)
            ) { _ throws(SourceFault) in }
        }
    }

    /// The built-in composer. It is not confined further, because it drops its own privileges.
    private static func builtIn() -> ProgramWorker? {
        composer.map {
            ProgramWorker("composer", $0, kind: .builtIn, isConfined: false, asking: ["check"], programs: Programs(), files: Disk())
        }
    }

    /// The cover in the built-in composer's style: drawn from the piece's recipe, or for other workers from prompt
    /// and seed.
    private nonisolated static func cover(of job: GenerationJob) -> [UInt8] {
        let seconds = min(max(job.request.durationS, Recipe.seconds.lowerBound), Recipe.seconds.upperBound)
        let recipe = job.piece?.recipe.flatMap { try? Recipe($0) }
        return Cover.png(recipe ?? Prompt.recipe(job.request.prompt, seed: UInt64(job.request.seed), seconds: seconds))
    }

    private nonisolated static func store(in folder: String) async -> Result<JobStore, SourceFault> {
        Result { () throws(SourceFault) in try JobStore(folder: folder) }
    }

    /// All workers: the composer first, because it needs no setup, then the others in the order of the settings.
    private static func workers(_ settings: HubSettings, http: HTTPClient, log: Log) -> [any GenerationWorker] {
        let maker = WorkerMaker(programs: Programs(), http: http)
        var workers: [any GenerationWorker] = []
        if let composer = builtIn() { workers.append(composer) }
        for worker in settings.workers {
            do throws(SourceFault) {
                workers.append(try maker.worker(worker, token: try token(of: worker, settings)))
            } catch {
                log(.error, "The worker “\(worker.name)” is not used: \(error.sentence)")
            }
        }
        return workers
    }

    /// The token from the service manager (`LoadCredential=worker-NAME:PATH`), for a worker that names no token file.
    private static func token(of worker: WorkerDescription, _ settings: HubSettings) throws(SourceFault) -> String? {
        guard worker.tokenFile == nil else { return nil }
        return try SourceSecretFiles.credential("worker-\(worker.name)", in: settings.credentials)
    }

    /// The composer's path: from the environment, else beside this program, else in the package's folder.
    private static var composer: String? {
        let name = "baton-composer"
        if let named = getenv("BATON_COMPOSER") { return existing(String(cString: named)) }
        guard let own = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(own) }
        let path = String(cString: own)
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return existing(path[...slash] + name) ?? existing("/usr/libexec/baton/\(name)")
    }

    private static func existing(_ path: String) -> String? { access(path, X_OK) == 0 ? path : nil }

    func close(_ loop: EventLoop) async {
        await withTaskExecutorPreference(loop.blockingPool) { [store] in await Self.close(store) }
    }

    private nonisolated static func close(_ store: JobStore) async { store.close() }
}

extension SoundStoring: SoundCompressing {}

/// The ids and seeds of jobs, from the system's generator.
private struct RandomNumbers: MakingNumbers {
    func newID() -> String { Token.random(length: 10) }
    func random() -> UInt64 { .random(in: .min ... .max) }
}

/// Makes the workers of the settings and those that commands add.
private struct WorkerMaker: WorkerMaking {
    let programs: Programs
    let http: HTTPClient

    func worker(_ worker: WorkerDescription, token: String?) throws(SourceFault) -> any GenerationWorker {
        guard let url = worker.url else {
            return ProgramWorker(
                worker.name, worker.program[0], Array(worker.program.dropFirst()), isConfined: worker.isConfined, programs: programs,
                files: Disk())
        }
        let kept = try worker.tokenFile.map { path throws(SourceFault) in try SourceSecretFiles.firstLine(of: path) }
        return try HTTPWorker(worker.name, url: url, token: token ?? kept, map: worker.artifactMap, http: http, files: Disk())
    }
}
