import BatonCore
import BatonKernel
import BatonSeams

/// Limits the stored sound of finished pieces. The score and the metadata of a piece remain, and so does its entry in lists:
/// the built-in composer generates its sound again when it is played.
extension GenerationService {
    func makeRoom() {
        guard let parts, !isClosed else { return }
        writing.add { [weak self] in
            do throws(SourceFault) { try await self?.removeExcess(parts) } catch {
                // Nothing is removed while the pieces that people have marked are unknown.
                self?.log(.warning, "Generated music takes more than gen_store, and none of it was removed: \(error.sentence)")
            }
        }
    }

    /// True for a finished piece whose sound was removed, and that only its worker could make.
    func hasLostItsSound(_ id: String) async throws(SourceFault) -> Bool {
        guard let parts, let job = jobs[id], let piece = job.piece else { return false }
        return try await sources.inBlockingPool { () async throws(SourceFault) in (try? parts.keeper.file(piece.sound, of: id)) == nil }
    }

    private func removeExcess(_ parts: GenerationParts) async throws(SourceFault) {
        try await removeSpare(parts)
        var sounds = try await sources.inBlockingPool { () async throws(SourceFault) in try parts.keeper.sounds() }
        guard sounds.reduce(0, { $0 + $1.bytes }) > parts.storeBytes else { return }
        let items = sounds.map { ItemURI("\(GenerationJob.scheme):\($0.id)") }
        let known = try await marks.marked(items)
        let queued = queues.queued
        for index in sounds.indices {
            let mark = known.marks[items[index]] ?? ItemMark()
            sounds[index].usedMs = max(sounds[index].usedMs, mark.lastPlayedMs ?? 0)
            if mark.isFavourite || mark.stars > 0 || known.listed.contains(items[index]) || queued.contains(items[index]) {
                sounds[index].isProtected = true
            }
        }
        let gone = StoredSound.excess(of: sounds, limit: parts.storeBytes)
        guard !gone.isEmpty else { return }
        log(.notice, "The sound of \(gone.count) generated pieces was removed to make room (gen_store).")
        try await sources.inBlockingPool { () async throws(SourceFault) in
            for id in gone { try parts.keeper.removeSound(of: id) }
        }
    }
}
