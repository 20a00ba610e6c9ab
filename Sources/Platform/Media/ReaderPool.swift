import BatonReading
package import BatonSeams
import Glibc

/// Reads files of unknown origin in processes of its own: `baton-reader`, one for each processor,
/// started when it is needed and ended when there was no question for a while.
///
/// This process links no FFmpeg and parses of such a file only the answer of a reader,
/// within bounds that are checked again here. A file that breaks or stalls its reader costs that
/// reader; the file is named and the next one goes to another.
package final class ReaderPool: MediaReading {
    let workerPool: ReaderWorkers
    private let readers: Int
    /// How long a reader may be silent about one file.
    let patienceMs: Int64
    /// A reader opens nothing: it gets files that were opened where they may be.
    let opening: FileOpening
    /// Where `baton-reader` should have been; then every answer says so.
    let missing: String?

    /// `readers` reads at once; by default as many as there are processors, since each keeps one busy.
    package init(
        _ search: ReaderProgram.Search = ReaderProgram.find(), readers: Int? = nil, patienceMs: Int64 = 10_000,
        opening: @escaping FileOpening, log: Log
    ) {
        self.opening = opening
        self.readers = readers ?? min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 4)
        self.patienceMs = patienceMs
        switch search {
        case .found(let program):
            workerPool = ReaderWorkers(program)
            missing = nil
        case .missing(let sentence):
            workerPool = ReaderWorkers(ReaderProgram(""))
            missing = sentence
            log(.warning, sentence)
        }
    }

    deinit { workerPool.close() }

    /// Files that are being read are given up, and no more are begun.
    package func close() { workerPool.close() }

    package func read(_ paths: [String]) -> [Result<MediaFacts, SourceFault>] { read(paths, covers: []).files }

    package func read(_ paths: [String], covers: [String]) -> MediaRead {
        if let missing {
            let fault = SourceFault(.unavailable, missing)
            return MediaRead(files: paths.map { _ in .failure(fault) }, covers: covers.map { _ in .failure(fault) })
        }
        var batch = Batch(paths, covers: covers, workerPool, patienceMs: patienceMs, opening)
        return batch.run(readers: readers)
    }
}
