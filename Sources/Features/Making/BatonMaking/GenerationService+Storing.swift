import BatonCore
import BatonKernel
import BatonSeams

/// Compresses the uncompressed sound of workers as FLAC, one piece after the other. A piece can be played before that, and
/// then plays to its end from the old file.
extension GenerationService {
    /// Schedules the compression of a piece. False when its sound stays unchanged.
    @discardableResult
    func storeSoon(_ job: GenerationJob) -> Bool {
        guard let store = parts?.store, !isClosed, job.piece?.sound.lowercased().hasSuffix(".wav") == true else { return false }
        unstored.append(job.id)
        if storing == nil { storing = Task(executorPreference: Loop.jobs) { [weak self] in await self?.storeAll(store) } }
        return true
    }

    /// Resumes after a restart: with pieces that were not compressed, and with old files of those that were.
    func goOnStoring() {
        guard parts?.store != nil else { return }
        spare = Set(jobs.values.filter { $0.piece?.sound.hasSuffix(".flac") == true && $0.worker != builtIn?.name }.map(\.id))
        if !spare.isEmpty { makeRoom() }
        for id in order { if let job = jobs[id] { storeSoon(job) } }
    }

    /// Removes old files of compressed pieces. A queued piece keeps its file, since the player may have its path.
    func removeSpare(_ parts: GenerationParts) async throws(SourceFault) {
        let queued = queues.queued
        let removed = spare.filter { !queued.contains(ItemURI("\(GenerationJob.scheme):\($0)")) }
        guard !removed.isEmpty else { return }
        try await sources.inBlockingPool { () async throws(SourceFault) in
            for id in removed { try parts.keeper.removeSpareSound(of: id) }
        }
        spare.subtract(removed)
    }

    private func storeAll(_ store: @escaping GenerationParts.Storing) async {
        while !isClosed, !unstored.isEmpty {
            let id = unstored.removeFirst()
            guard let job = jobs[id], job.state == .ready, let piece = job.piece else { continue }
            do throws(SourceFault) { try await self.store(job, piece.sound, store) } catch {
                guard error.code != .cancelled else { break }
                log(.warning, "The sound of “\(job.title)” stays as its worker left it: \(error.sentence)")
            }
            makeRoom()
        }
        storing = nil
    }

    /// Compresses a piece. The store has the name of the new file before the old one can be removed.
    private func store(_ job: GenerationJob, _ old: String, _ store: @escaping GenerationParts.Storing) async throws(SourceFault) {
        guard let keeper = parts?.keeper else { return }
        let new = try await sources.inBlockingPool(isQuiet: true) { () async throws(SourceFault) in
            defer { keeper.removeUnfinished(of: job.id) }
            return try await store(job, try keeper.folder(of: job.id, isFresh: false))
        }
        guard let new, jobs[job.id]?.piece?.sound == old, step(job.id, .stored(sound: new.name, bytes: new.bytes)) else { return }
        do throws(SourceFault) { try await keep(job.id) } catch {
            _ = step(job.id, .stored(sound: old, bytes: job.piece?.bytes ?? 0))
            throw error
        }
        spare.insert(job.id)
    }
}
