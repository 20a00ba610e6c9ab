import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// The jobs in answers and sections: rows, the section `jobs`, and `g` for watches.
extension GenerationService {
    /// Number of finished jobs that the section shows.
    private static let shownOver = 8
    private static let paceUs: Int64 = 1_000_000

    /// The jobs, newest first.
    private var newest: some Sequence<GenerationJob> { order.reversed().lazy.compactMap { [jobs] in jobs[$0] } }

    func rows(_ query: Commands.JobList) -> JobRows {
        let found = newest.filter { query.which.has($0.state) }
        let rows = found.dropFirst(query.from).prefix(query.limit).map { job in
            var row = row(job)
            row.recipe = job.piece?.recipe
            return row
        }
        return JobRows(rows, more: max(0, found.count - query.from - rows.count))
    }

    private func row(_ job: GenerationJob) -> JobRow {
        let estimateMs = job.state.isOver ? nil : times.estimateMs(of: job)
        var row = JobRow(
            job: job.id, uri: job.uri, state: JobState(name: job.state.rawValue),
            percent: job.state.isOver ? 0 : job.percent, title: job.title,
            author: job.author, worker: job.worker, startedMs: job.startedMs, endedMs: job.endedMs, estimateMs: estimateMs,
            durationMs: job.piece?.durationMs, sentence: job.sentence ?? (job.state.isOver ? nil : job.message),
            prompt: job.request.prompt.isEmpty || job.title == job.request.prompt ? nil : job.request.prompt, isKept: job.isKept)
        if let estimateMs, let begun = begunUs[job.id], job.state.isUnderWay { row.dueUs = begun + Int64(estimateMs) * 1_000 }
        return row
    }

    /// Publishes the jobs at once, or a second after the last time.
    func showSoon() {
        guard showAlarm == nil, !isClosed else { return }
        let dueUs = max(0, shownUs + Self.paceUs - clock.nowUs)
        showAlarm = clock.after(.microseconds(dueUs)) { [weak self] in
            self?.showAlarm = nil
            self?.show()
        }
    }

    private func show() {
        shownUs = clock.nowUs
        let open = newest.filter { !$0.state.isOver }.map(row)
        let shown = open + newest.filter { $0.state.isOver }.prefix(Self.shownOver).map(row)
        if shown.isEmpty { publisher.remove(.jobs) } else { publisher.publish(.jobs(JobsSection(shown))) }
        if let watched = WatchJob(open) { publisher.publish(.watchJob(watched)) } else { publisher.remove(.watchJob) }
        publisher.tell()
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
