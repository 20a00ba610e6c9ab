import BatonReading
package import BatonSeams

/// Silences. A reader is kept for as long as its file is looked through.
extension ReaderPool: SilenceFinding {
    package func silences(in file: NamedFile) throws(SourceFault) -> any SilenceScan {
        if let missing { throw SourceFault(.unavailable, missing) }
        return SilentFileScan(file, self)
    }
}

/// Sendable, because it belongs to one caller at a time, who waits for each piece before asking for the next or closing it.
private final class SilentFileScan: SilenceScan, @unchecked Sendable {
    private let file: NamedFile
    private let pool: ReaderPool
    private var worker: ReaderWorkers.Worker?
    private var isDone = false

    init(_ file: NamedFile, _ pool: ReaderPool) {
        self.file = file
        self.pool = pool
    }

    deinit { close() }

    func next() throws(SourceFault) -> SilencePiece? {
        guard !isDone else { return nil }
        let known = worker
        let worker = if let known { known } else { try hire() }
        let name = String(file.path.split(separator: "/").last ?? "")
        do throws(ReaderLine.Loss) {
            worker.line.allow(ms: pool.patienceMs)
            try worker.line.ask(known == nil ? .silences(name) : .moreSilences, with: known == nil ? [file.content] : [])
            return try take(try worker.line.awaitAnswer(largest: ReaderAnswer.largestFacts), from: worker)
        } catch {
            worker.end()
            (self.worker, isDone) = (nil, true)
            throw error.fault(with: .file(file.path))
        }
    }

    /// A silence that a broken reader has made up costs a pause in a book, and nothing else.
    private func take(_ answer: ReaderAnswer, from worker: ReaderWorkers.Worker) throws(ReaderLine.Loss) -> SilencePiece? {
        switch answer {
        case .silences(let found):
            (self.worker, isDone) = (found.isLast ? nil : worker, found.isLast)
            if found.isLast { pool.workerPool.giveBack(worker) }
            return SilencePiece(
                found.silences.map { Int($0.lowerBound)..<Int($0.upperBound) }, untilMs: Int(found.untilMs), beginUs: Int(found.beginUs))
        case .failed:
            (self.worker, isDone) = (nil, true)
            pool.workerPool.giveBack(worker)
            return nil
        default: throw .garbled
        }
    }

    private func hire() throws(SourceFault) -> ReaderWorkers.Worker {
        do { return try pool.workerPool.take() } catch {
            throw SourceFault(.unavailable, "No program to look through “\(file.path)” could be started.")
        }
    }

    func close() {
        // It waits for a request that does not come.
        worker?.process.end()
        (worker, isDone) = (nil, true)
    }
}
