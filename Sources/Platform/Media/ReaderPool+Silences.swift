package import BatonCore
import BatonReading
package import BatonSeams

/// Detection of silences. A reader stays with its file until the search ends.
extension ReaderPool: SilenceFinding {
    package func silences(in file: NamedFile) throws(SourceFault) -> any SilenceScan {
        if let missing { throw SourceFault(.unavailable, missing) }
        return SilentFileScan(file, self)
    }

    package func chapters(in file: NamedFile) throws(SourceFault) -> [Chapter] {
        if let missing { throw SourceFault(.unavailable, missing) }
        let worker = try takeWorker(for: file)
        do throws(ReaderLine.Loss) {
            worker.line.allow(ms: patienceMs)
            try worker.line.ask(.read([file.shortName]), with: [file.content])
            let answer = try worker.line.awaitAnswer(largest: ReaderAnswer.largestFacts)
            switch answer {
            case .facts(let facts):
                workerPool.giveBack(worker)
                return MediaFacts(facts, of: file.path).track.chapters
            case .failed:
                workerPool.giveBack(worker)
                return []
            default: throw .garbled
            }
        } catch {
            worker.end()
            throw error.fault(with: .file(file.path))
        }
    }

    fileprivate func takeWorker(for file: NamedFile) throws(SourceFault) -> ReaderWorkers.Worker {
        do { return try workerPool.take() } catch {
            throw SourceFault(.unavailable, "No program to look through “\(file.path)” could be started.")
        }
    }
}

extension NamedFile {
    fileprivate var shortName: String { String(path.split(separator: "/").last ?? "") }
}

/// Sendable, because one caller at a time owns it, and waits for each piece before it requests the next or closes it.
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
        if known == nil, try !isJoinable() {
            isDone = true
            return nil
        }
        let worker = if let known { known } else { try pool.takeWorker(for: file) }
        do throws(ReaderLine.Loss) {
            worker.line.allow(ms: pool.patienceMs)
            try worker.line.ask(known == nil ? .silences(file.shortName) : .moreSilences, with: known == nil ? [file.content] : [])
            return try take(try worker.line.awaitAnswer(largest: ReaderAnswer.largestFacts), from: worker)
        } catch {
            worker.end()
            (self.worker, isDone) = (nil, true)
            throw error.fault(with: .file(file.path))
        }
    }

    /// Whether the player would join segments of this file. It joins only plain sound files: Matroska, for one, may refer to other files.
    /// Other files are not searched, and so play without cuts.
    private func isJoinable() throws(SourceFault) -> Bool {
        SoundMark.isSound(try file.content.read(at: 0, count: SoundMark.bytes))
    }

    /// Takes an answer. A silence invented by a compromised reader costs only a pause in a book.
    private func take(_ answer: ReaderAnswer, from worker: ReaderWorkers.Worker) throws(ReaderLine.Loss) -> SilencePiece? {
        switch answer {
        case .silences(let found):
            (self.worker, isDone) = (found.isLast ? nil : worker, found.isLast)
            if found.isLast { pool.workerPool.giveBack(worker) }
            return SilencePiece(
                found.silences.map { Milliseconds($0.lowerBound)..<Milliseconds($0.upperBound) }, untilMs: Milliseconds(found.untilMs),
                beginUs: Microseconds(found.beginUs))
        case .failed:
            (self.worker, isDone) = (nil, true)
            pool.workerPool.giveBack(worker)
            return nil
        default: throw .garbled
        }
    }

    func close() {
        // It waits for a request that does not come.
        worker?.process.end()
        (worker, isDone) = (nil, true)
    }
}
