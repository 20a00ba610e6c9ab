import BatonCore
import BatonKernel
import BatonSeams

/// The sound of finished pieces on the disk: its limit, and the compression of uncompressed sound as FLAC.
///
/// Pieces are compressed one after the other. A piece can be played before that, and then plays to its end from the old file.
/// The score and the metadata of a piece whose sound was removed remain, and so does its entry in lists: the built-in composer
/// generates its sound again when it is played.
@Loop
final class MakingSounds: MakingObserver {
    private let jobs: MakingJobs
    private let entries: MakingEntries
    private let marks: any ItemMarking
    /// Pieces that wait for compression.
    private var waiting: [String] = []
    /// Compressed pieces whose old file may still exist.
    private var spare: Set<String> = []
    private var compressing: Task<Void, Never>?

    init(_ jobs: MakingJobs, entries: MakingEntries, marks: any ItemMarking) {
        self.jobs = jobs
        self.entries = entries
        self.marks = marks
    }

    func hear(_ news: MakingNews) {
        switch news {
        case .goesOn: goOn()
        case .made(let job): if !compressSoon(job) { makeRoom() }
        case .released: makeRoom()
        default: break
        }
    }

    func close() async {
        compressing?.cancel()
        await compressing?.value
    }

    // MARK: Limit

    private func makeRoom() {
        guard let parts = jobs.parts, !jobs.isClosed else { return }
        jobs.writing.add { [weak self] in
            do throws(SourceFault) { try await self?.removeExcess(parts) } catch {
                // Nothing is removed while the pieces that people have marked are unknown.
                self?.jobs.log(.warning, "Generated music takes more than gen_store, and none of it was removed: \(error.sentence)")
            }
        }
    }

    private func removeExcess(_ parts: MakingParts) async throws(SourceFault) {
        try await removeSpare(parts)
        var sounds = try await jobs.sources.inBlockingPool { () async throws(SourceFault) in try parts.storage.sounds() }
        guard sounds.reduce(0, { $0 + $1.bytes }) > parts.storeBytes else { return }
        let items = sounds.map { ItemURI("\(GenerationJob.scheme):\($0.id)") }
        let known = try await marks.marked(items)
        let queued = entries.queued
        for index in sounds.indices {
            let mark = known.marks[items[index]] ?? ItemMark()
            sounds[index].usedMs = max(sounds[index].usedMs, mark.lastPlayedMs ?? 0)
            if mark.isFavourite || mark.stars > 0 || known.listed.contains(items[index]) || queued.contains(items[index]) {
                sounds[index].isProtected = true
            }
        }
        let gone = StoredSound.excess(of: sounds, limit: parts.storeBytes)
        guard !gone.isEmpty else { return }
        jobs.log(.notice, "The sound of \(gone.count) generated pieces was removed to make room (gen_store).")
        try await jobs.sources.inBlockingPool { () async throws(SourceFault) in
            for id in gone { try parts.storage.removeSound(of: id) }
        }
    }

    /// Removes old files of compressed pieces. A queued piece keeps its file, since the player may have its path.
    private func removeSpare(_ parts: MakingParts) async throws(SourceFault) {
        let queued = entries.queued
        let removed = spare.filter { !queued.contains(ItemURI("\(GenerationJob.scheme):\($0)")) }
        guard !removed.isEmpty else { return }
        try await jobs.sources.inBlockingPool { () async throws(SourceFault) in
            for id in removed { try parts.storage.removeSpareSound(of: id) }
        }
        spare.subtract(removed)
    }

    // MARK: Compression

    /// Schedules the compression of a piece. False when its sound stays unchanged.
    @discardableResult
    private func compressSoon(_ job: GenerationJob) -> Bool {
        guard let store = jobs.parts?.store, !jobs.isClosed, job.piece?.sound.lowercased().hasSuffix(".wav") == true else { return false }
        waiting.append(job.id)
        if compressing == nil { compressing = Task(executorPreference: Loop.jobs) { [weak self] in await self?.compressAll(store) } }
        return true
    }

    /// Resumes after a restart: with pieces that were not compressed, and with old files of those that were.
    private func goOn() {
        guard jobs.parts?.store != nil else { return }
        let builtIn = jobs.workers.builtIn?.name
        spare = Set(jobs.queue.jobs.values.filter { $0.piece?.sound.hasSuffix(".flac") == true && $0.worker != builtIn }.map(\.id))
        if !spare.isEmpty { makeRoom() }
        for job in jobs.queue.inOrder { compressSoon(job) }
    }

    private func compressAll(_ store: any SoundCompressing) async {
        while !jobs.isClosed, !waiting.isEmpty {
            let id = waiting.removeFirst()
            guard let job = jobs.queue[id], job.state == .ready, job.piece != nil else { continue }
            do throws(SourceFault) { try await compress(job, store) } catch {
                guard error.code != .cancelled else { break }
                jobs.log(.warning, "The sound of “\(job.title)” stays as its worker left it: \(error.sentence)")
            }
            makeRoom()
        }
        compressing = nil
    }

    /// Compresses a piece. The store has the name of the new file before the old one can be removed.
    private func compress(_ job: GenerationJob, _ store: any SoundCompressing) async throws(SourceFault) {
        guard let storage = jobs.parts?.storage else { return }
        let new = try await jobs.sources.inBlockingPool(isQuiet: true) { () async throws(SourceFault) in
            defer { storage.removeUnfinished(of: job.id) }
            return try await store.store(job, in: try storage.folder(of: job.id, isFresh: false))
        }
        if let new, try await jobs.replaceSound(of: job, with: new) { spare.insert(job.id) }
    }
}
