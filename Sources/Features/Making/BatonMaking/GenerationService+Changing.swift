import BatonCore
import BatonKernel
package import BatonSeams

/// Changes to existing jobs by people: allowing one, repeating it, and keeping its sound.
extension GenerationService {
    func retry(_ id: String) async throws(SourceFault) -> Bool {
        _ = try opened()
        guard jobs[id] != nil else { throw Self.missing(id) }
        if jobs[id]?.state == .offline {
            tryAgain(id)
            return true
        }
        let lost = try await hasLostItsSound(id) ? jobs[id] : nil
        if lost != nil { _ = step(id, .lost) }
        do throws(SourceFault) {
            guard try await keep(id, taking: .retried) else { return false }
        } catch {
            if let lost, jobs[id]?.state == .failed { undo(to: lost) }
            throw error
        }
        if let job = jobs[id] { queues.noted(job.uri, nil) }
        order.removeAll { $0 == id }
        order.append(id)
        begin(id)
        return true
    }

    /// Repeats a piece that failed, was cancelled, or lost its sound. Old jobs are only in the store.
    func makeAgain(_ id: String) async throws(SourceFault) {
        let parts = try opened()
        if jobs[id] == nil, let old = try await sources.inBlockingPool({ () async throws(SourceFault) in try parts.keeper.job(id) }) {
            jobs[id] = old
        }
        if jobs[id] != nil { _ = try await retry(id) }
        if !order.contains(id) { jobs[id] = nil }
    }

    func approve(_ id: String) async throws(SourceFault) -> Bool {
        _ = try opened()
        guard jobs[id] != nil else { throw Self.missing(id) }
        guard try await keep(id, taking: .approved) else { return false }
        begin(id)
        return true
    }

    package func setKept(_ id: String, _ isOn: Bool) async throws(SourceFault) -> Bool {
        let parts = try opened()
        if jobs[id] == nil {
            // Old jobs are only in the store.
            jobs[id] = try await sources.inBlockingPool { () async throws(SourceFault) in try parts.keeper.job(id) }
        }
        defer { if !order.contains(id) { jobs[id] = nil } }
        guard let job = jobs[id] else { throw Self.missing(id) }
        guard job.isKept != isOn else { return false }
        if isOn, job.worker != builtIn?.name, try await hasLostItsSound(id) {
            throw SourceFault(.invalidState, "The sound of “\(job.title)” was removed to make room. Have it made anew: baton jobs retry.")
        }
        jobs[id]?.isKept = isOn
        do throws(SourceFault) { try await keep(id) } catch {
            jobs[id]?.isKept = !isOn
            throw error
        }
        if !isOn { makeRoom() }
        showSoon()
        return true
    }
}
