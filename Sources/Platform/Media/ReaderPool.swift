package import BatonCore
import BatonReading
package import BatonSeams
import Glibc

/// Reads files of unknown origin in separate processes: `baton-reader`, one for each processor, started on demand and ended after a while
/// without requests.
///
/// This process does not link FFmpeg, and of such a file it parses only the reader's answer, within limits that are checked again here. A
/// file that breaks or stalls its reader costs that reader; the file is reported, and the next one goes to another reader.
package final class ReaderPool: MediaReading {
    let workerPool: ReaderWorkers
    private let readers: Int
    /// Time that a reader may be silent about one file.
    let patienceMs: Milliseconds
    /// Opens files within the allowed folders, since a reader opens none.
    let opening: FileOpening
    /// The sentence with which every request fails if `baton-reader` is not installed; `nil` if it is.
    let missing: String?

    /// `readers` is the number of simultaneous reads. By default it is the number of processors, since each reader keeps one busy.
    package init(
        _ search: ReaderProgram.Search = ReaderProgram.find(), readers: Int? = nil, patienceMs: Milliseconds = 10_000,
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

    /// Cancels the files that are being read, and refuses more.
    package func close() { workerPool.close() }

    package func read(_ paths: [String]) -> [Result<MediaFacts, SourceFault>] { read(paths, covers: []).files }

    package func read(_ paths: [String], covers: [String]) -> MediaRead {
        if let missing {
            let fault = SourceFault(.unavailable, missing)
            return MediaRead(files: paths.map { _ in .failure(fault) }, covers: covers.map { _ in .failure(fault) })
        }
        var batch = Batch(paths, covers: covers, workers: workerPool, patienceMs: patienceMs, opening: opening)
        return batch.run(readers: readers)
    }
}
