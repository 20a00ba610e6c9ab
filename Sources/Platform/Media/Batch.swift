import BatonCore
import BatonReading
import BatonSeams
import CLinux
import Glibc

/// Many files and pictures, read by several readers at once on the calling thread.
///
/// Each reader gets a few files at a time and answers them in order. So when one breaks or stalls, the file it was reading is known: that
/// file is reported, and the rest of its share goes to a new reader. The files are opened here, share by share; one that cannot be opened
/// is answered without a reader.
struct Batch {
    private let paths: [String]
    /// Index of the first picture; files come before it.
    private let firstCover: Int
    private let workerPool: ReaderWorkers
    private let patienceMs: Milliseconds
    private let opening: FileOpening
    private var results: [Result<Found, SourceFault>?]
    /// Shares that no reader has yet, in reverse order.
    private var shares: [ArraySlice<Int>]
    private var workers: [Working] = []
    /// Number of files that timed out since the last answer.
    private var late = 0

    private enum Found {
        case facts(MediaFacts)
        case cover(Artwork)
    }

    /// A reader and the files that it has not answered yet.
    private struct Working {
        let worker: ReaderWorkers.Worker
        var share: ArraySlice<Int>
        /// True once it has answered since it was taken from the pool: a later failure is the file's fault.
        var hasSpoken = false
    }

    /// Small enough that the last shares keep all readers busy, and large enough that the requests cost nothing.
    private static let shareSize = 32
    /// Number of late files in a row that indicates an unresponsive disk instead of bad files.
    private static let mostLate = 3
    private static let endWithinMs: Milliseconds = 200

    init(_ files: [String], covers: [String], workers workerPool: ReaderWorkers, patienceMs: Milliseconds, opening: @escaping FileOpening) {
        paths = files + covers
        firstCover = files.count
        self.workerPool = workerPool
        self.patienceMs = patienceMs
        self.opening = opening
        results = Array(repeating: nil, count: paths.count)
        // Each share has either files or pictures.
        shares = (Self.shares(0..<firstCover) + Self.shares(firstCover..<paths.count)).reversed()
    }

    private static func shares(_ all: Range<Int>) -> [ArraySlice<Int>] {
        stride(from: all.lowerBound, to: all.upperBound, by: shareSize).map { Array($0..<min($0 + shareSize, all.upperBound))[...] }
    }

    /// Reads all paths and returns one result for each, in order.
    mutating func run(readers: Int) -> MediaRead {
        while workers.count < readers, !shares.isEmpty, takeReader() {}
        while !workers.isEmpty {
            waitForAnswers()
            // Giving up removes all of them.
            for at in workers.indices.reversed() where at < workers.count { listen(to: at) }
            while workers.count < readers, !shares.isEmpty, takeReader() {}
        }
        return MediaRead(
            files: (0..<firstCover).map { place in
                result(place) { found in if case .facts(let facts) = found { facts } else { nil } }
            },
            covers: (firstCover..<paths.count).map { place in
                result(place) { found in if case .cover(let art) = found { art } else { nil } }
            })
    }

    private func result<Wanted>(_ place: Int, _ wanted: (Found) -> Wanted?) -> Result<Wanted, SourceFault> {
        switch results[place] {
        case .success(let found)?: wanted(found).map { .success($0) } ?? .failure(.noReader(paths[place]))
        case .failure(let fault)?: .failure(fault)
        case nil: .failure(.noReader(paths[place]))
        }
    }

    /// Takes one more reader and gives it the next share. `false` if there is none.
    private mutating func takeReader() -> Bool {
        guard let worker = try? workerPool.take() else { return false }
        begin(Working(worker: worker, share: []))
        return true
    }

    /// Starts a reader on its share, or on the next one in which a file can be opened; without any it returns to the pool.
    private mutating func begin(_ working: Working) {
        var working = working
        while true {
            let files = open(&working.share)
            if let first = working.share.first {
                let names = working.share.map { String(paths[$0].split(separator: "/").last ?? "") }
                return ask(working, for: first < firstCover ? .read(names) : .covers(names), files: files)
            }
            guard let next = shares.popLast() else { return workerPool.giveBack(working.worker) }
            working.share = next
        }
    }

    /// Opens the files of a share, and removes those that fail.
    private mutating func open(_ share: inout ArraySlice<Int>) -> [any FileRange] {
        var files: [any FileRange] = []
        let wanted = share
        share = []
        guard !wanted.isEmpty else { return files }
        for (place, answer) in zip(wanted, opening(wanted.map { paths[$0] })) {
            switch answer {
            case .success(let file):
                files.append(file)
                share.append(place)
            case .failure(let fault): results[place] = .failure(fault)
            }
        }
        return files
    }

    private mutating func ask(_ working: Working, for request: ReaderRequest, files: [any FileRange]) {
        working.worker.line.allow(ms: patienceMs)
        do throws(ReaderLine.Loss) {
            try working.worker.line.ask(request, with: files)
            workers.append(working)
        } catch {
            lose(working, error)
        }
    }

    /// Waits until a reader answers, or one has been silent for too long.
    private func waitForAnswers() {
        var looks = workers.map { pollfd(fd: $0.worker.line.socket, events: Int16(POLLIN), revents: 0) }
        let deadline = workers.map(\.worker.line.deadlineMs).min() ?? 0
        let left = max(0, deadline - Clock.system.nowMs)
        _ = unsafe poll(&looks, nfds_t(looks.count), Int32(clamping: left.count))
    }

    private mutating func listen(to at: Int) {
        do throws(ReaderLine.Loss) {
            while let answer = try workers[at].worker.line.answer(largest: ReaderAnswer.largestFacts) {
                try accept(answer, from: at)
                if workers[at].share.isEmpty { return proceed(at) }
            }
            if workers[at].worker.line.isLate() { throw .tookTooLong }
        } catch {
            lose(workers.remove(at: at), error)
        }
    }

    private mutating func accept(_ answer: ReaderAnswer, from at: Int) throws(ReaderLine.Loss) {
        guard let file = workers[at].share.first else { throw .garbled }
        switch answer {
        case .facts(let facts) where file < firstCover: results[file] = .success(.facts(MediaFacts(facts, of: paths[file])))
        case .cover(let cover) where file >= firstCover:
            let art = Artwork(id: PictureName.text(cover.name), width: cover.header.width, height: cover.header.height)
            results[file] = .success(.cover(art))
        case .failed(let failure): results[file] = .failure(failure.fault(with: .file(paths[file])))
        case .left: throw .ended
        case .facts, .cover, .picture, .colours, .feed, .silences: throw .garbled
        }
        workers[at].share.removeFirst()
        workers[at].hasSpoken = true
        late = 0
        workers[at].worker.line.allow(ms: patienceMs)
    }

    /// Gives a finished reader the next share, or returns it to the pool.
    private mutating func proceed(_ at: Int) {
        begin(workers.remove(at: at))
    }

    /// Reports the file of a lost reader; the rest of the share goes to another one. A reader that was lost before its first answer may
    /// have ended for another reason, so that file gets a second reader.
    private mutating func lose(_ working: Working, _ loss: ReaderLine.Loss) {
        working.worker.end()
        guard let file = working.share.first else { return }
        let rest = working.share.dropFirst()
        if !rest.isEmpty { shares.append(rest) }
        if case .ended = loss, !working.hasSpoken, let second = try? workerPool.fresh() {
            return begin(Working(worker: second, share: [file], hasSpoken: true))
        }
        results[file] = .failure(loss.fault(with: .file(paths[file])))
        guard case .tookTooLong = loss else { return }
        late += 1
        // A killed reader that does not end is blocked by the disk, which would block all other readers too.
        if late >= Self.mostLate || !working.worker.process.ends(withinMs: Self.endWithinMs) { giveUp() }
    }

    /// Files without an answer fail.
    private mutating func giveUp() {
        shares = []
        for working in workers { working.worker.end() }
        workers = []
    }
}

extension ReaderWorkers.Worker {
    func end() { process.end() }
}
