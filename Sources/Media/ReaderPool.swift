import BatonReading
package import BatonSeams
import Glibc

/// Reads what strangers have written, in processes of its own: `baton-reader`, one for each processor and
/// started when it is needed, gone when nobody has asked for a while.
///
/// This process links no FFmpeg and parses nothing of a stranger's file but what a reader has made of it,
/// within bounds that are checked again here. A file that breaks or stalls its reader costs that
/// reader; the file is named and the next one goes to another.
package final class ReaderPool: MediaReading {
    let crew: ReaderCrew
    private let readers: Int
    /// How long a reader may be silent about one file.
    let patienceMs: Int64
    /// Where `baton-reader` should have been; then every answer says so.
    let missing: String?

    /// `readers` reads at once; by default as many as there are processors, since each keeps one busy.
    package init(_ search: ReaderProgram.Search = ReaderProgram.find(), readers: Int? = nil, patienceMs: Int64 = 10_000, log: Log) {
        self.readers = readers ?? min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 4)
        self.patienceMs = patienceMs
        switch search {
        case .found(let program):
            crew = ReaderCrew(program)
            missing = nil
        case .missing(let sentence):
            crew = ReaderCrew(ReaderProgram(""))
            missing = sentence
            log(.warning, sentence)
        }
    }

    deinit { crew.close() }

    /// What is being read is given up, nothing more is begun.
    package func close() { crew.close() }

    package func read(_ paths: [String]) -> [Result<MediaFacts, SourceFault>] { read(paths, covers: []).files }

    package func read(_ paths: [String], covers: [String]) -> MediaRead {
        if let missing {
            let fault = SourceFault(.unavailable, missing)
            return MediaRead(files: paths.map { _ in .failure(fault) }, covers: covers.map { _ in .failure(fault) })
        }
        let (files, pictures) = (Sound(paths), Sound(covers))
        var batch = Batch(files.paths, covers: pictures.paths, crew, patienceMs: patienceMs)
        let read = batch.run(readers: readers)
        return MediaRead(files: files.results(read.files), covers: pictures.results(read.covers))
    }
}

/// Paths without those that could not be opened anyway.
private struct Sound {
    let paths: [String]
    private let all: [String]
    private let places: [Int]

    init(_ all: [String]) {
        self.all = all
        places = all.indices.filter { all[$0].utf8.count <= ReaderRequest.longestPath && !all[$0].utf8.contains(0) }
        paths = places.count == all.count ? all : places.map { all[$0] }
    }

    func results<Found>(_ read: [Result<Found, SourceFault>]) -> [Result<Found, SourceFault>] {
        if places.count == all.count { return read }
        var results = all.map { Result<Found, SourceFault>.failure(ReaderFailure(.notAFile).fault(with: .file($0))) }
        for (place, result) in zip(places, read) { results[place] = result }
        return results
    }
}
