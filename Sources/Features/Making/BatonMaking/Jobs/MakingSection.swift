import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// The section `jobs`, and `g` for watches. They are published at most once a second.
@Loop
final class MakingSection: MakingObserver {
    private let jobs: MakingJobs
    private let publisher: StatePublisher
    private var alarm: (any Alarm)?
    private var shownUs = Microseconds.min / 2

    private static let paceUs: Microseconds = 1_000_000

    init(_ jobs: MakingJobs, _ publisher: StatePublisher) {
        self.jobs = jobs
        self.publisher = publisher
    }

    func hear(_ news: MakingNews) { if case .changed = news { showSoon() } }

    func close() { alarm?.cancel() }

    private func showSoon() {
        guard alarm == nil, !jobs.isClosed else { return }
        let dueUs = max(0, shownUs + Self.paceUs - jobs.clock.nowUs)
        alarm = jobs.clock.after(.microseconds(dueUs)) { [weak self] in
            self?.alarm = nil
            self?.show()
        }
    }

    private func show() {
        shownUs = jobs.clock.nowUs
        let (open, over) = jobs.queue.shown
        let shown = open + over
        if shown.isEmpty { publisher.remove(.jobs) } else { publisher.publish(.jobs(JobsSection(shown))) }
        if let watched = WatchJob(open) { publisher.publish(.watchJob(watched)) } else { publisher.remove(.watchJob) }
        publisher.tell()
    }
}

/// The rows of jobs in answers and sections, newest first.
extension MakingQueue {
    /// Number of finished jobs that the section shows.
    private static let shownOver = 8

    func rows(_ query: Commands.JobList) -> JobRows {
        let found = inOrder.reversed().filter { query.which.has($0.state) }
        let rows = found.dropFirst(query.from).prefix(query.limit).map { job in
            var row = row(job)
            row.recipe = job.piece?.recipe
            return row
        }
        return JobRows(rows, more: max(0, found.count - query.from - rows.count))
    }

    /// The rows of the section: all open jobs, and the latest of those that are over.
    fileprivate var shown: (open: [JobRow], over: [JobRow]) {
        let newest = inOrder.reversed()
        return (newest.filter { !$0.state.isOver }.map(row), newest.filter { $0.state.isOver }.prefix(Self.shownOver).map(row))
    }

    private func row(_ job: GenerationJob) -> JobRow {
        let estimateMs = job.state.isOver ? nil : times.estimateMs(of: job)
        var row = JobRow(
            job: job.id, uri: job.uri, state: JobState(name: job.state.rawValue),
            percent: job.state.isOver ? 0 : job.percent, title: job.title,
            author: job.author, worker: job.worker, startedMs: job.startedMs, endedMs: job.endedMs, estimateMs: estimateMs,
            durationMs: job.piece?.durationMs, sentence: job.sentence ?? (job.state.isOver ? nil : job.message),
            prompt: job.request.prompt.isEmpty || job.title == job.request.prompt ? nil : job.request.prompt, isKept: job.isKept)
        if let estimateMs, let begun = begunUs[job.id], job.state.isUnderWay { row.dueUs = begun + Microseconds(estimateMs) }
        return row
    }
}

extension JobFilter {
    fileprivate func has(_ state: GenerationJob.State) -> Bool {
        switch self {
        case .all: true
        case .open: !state.isOver
        case .approval: state == .approval
        case .ready: state == .ready
        case .failed: state == .failed
        }
    }
}
