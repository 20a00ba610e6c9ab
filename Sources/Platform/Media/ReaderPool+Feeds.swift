package import BatonCore
import BatonReading
package import BatonSeams

/// Feeds of podcasts. Faults are the rest of a sentence that names the feed.
extension ReaderPool: FeedReading {
    package func feed(_ bytes: [UInt8]) throws(SourceFault) -> Feed {
        if let missing { throw SourceFault(.unavailable, missing) }
        guard bytes.count <= ReaderRequest.mostFeedBytes else {
            throw SourceFault(.tooLarge, "it is larger than \(ReaderRequest.mostFeedBytes >> 20) MiB.")
        }
        let first = ask(.feed(bytes), about: [], of: try takeWorker { () throws(ReaderWorkers.Lack) in try workerPool.take() })
        // The reader may have ended just before, which is not the feed's fault.
        let last =
            first == .failure(.ended)
            ? ask(.feed(bytes), about: [], of: try takeWorker { () throws(ReaderWorkers.Lack) in try workerPool.fresh() }) : first
        switch last {
        case .success(.feed(let facts)): return Feed(facts)
        case .success(.failed(let failure)): throw failure.feedFault
        case .success: throw ReaderLine.Loss.garbled.feedFault
        case .failure(let loss): throw loss.feedFault
        }
    }

    private func takeWorker(_ body: () throws(ReaderWorkers.Lack) -> ReaderWorkers.Worker) throws(SourceFault) -> ReaderWorkers.Worker {
        do { return try body() } catch { throw SourceFault(.unavailable, "no program to read it could be started.") }
    }
}
