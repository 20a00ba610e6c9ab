import BatonCore
import BatonKernel
import BatonSeams

/// The counts of waiting notes, for people. They are computed on another thread, at most twice a second.
@Loop
final class OutboxCounter {
    private let sources: Sources
    private let reactor: any Reactor
    private var outbox: (any Outbox)?
    /// Items whose favourites or stars have not reached their server yet, with the number of notes for each.
    private(set) var pendingItems: [ItemURI: Int] = [:]
    /// The counts of notes, by the source's name.
    private(set) var counts: [String: OutboxCount] = [:]
    /// The accounts, which show the counts.
    weak var accounts: SourceAccounts?
    private var counting: Task<Void, Never>?
    private var alarm: (any Alarm)?
    private var countedUs = Microseconds.min / 2
    private var isClosed = false
    private static let paceUs: Microseconds = 500_000

    init(_ sources: Sources, _ reactor: any Reactor) {
        self.sources = sources
        self.reactor = reactor
    }

    func open(_ outbox: any Outbox) {
        self.outbox = outbox
        count()
    }

    func close() async {
        isClosed = true
        alarm?.cancel()
        await counting?.value
    }

    /// Counts one more note, which is shown at once.
    func added(_ note: WriteBack, for source: String) {
        if let uri = note.marked { pendingItems[uri, default: 0] += 1 }
        counts[source, default: OutboxCount()].pending += 1
        accounts?.showCounts()
        countSoon()
    }

    /// Counts at once, or half a second after the last time.
    func countSoon() {
        guard alarm == nil, !isClosed else { return }
        let dueUs = max(0, countedUs + Self.paceUs - reactor.nowUs)
        alarm = reactor.after(.microseconds(dueUs)) { [weak self] in self?.countNow() }
    }

    func countNow() {
        alarm?.cancel()
        alarm = nil
        count()
    }

    private func count() {
        guard let outbox, !isClosed else { return }
        guard counting == nil else { return countSoon() }
        countedUs = reactor.nowUs
        counting = Task(executorPreference: Loop.jobs) { [weak self, sources] in
            let counted = try? await sources.inBlockingPool { () async throws(SourceFault) in
                (try outbox.counts(), try outbox.pendingItems())
            }
            await self?.counted(counted)
        }
    }

    private func counted(_ counted: ([String: OutboxCount], [ItemURI: Int])?) {
        counting = nil
        guard let (counts, items) = counted, !isClosed else { return }
        pendingItems = items
        guard counts != self.counts else { return }
        self.counts = counts
        accounts?.showCounts()
    }
}
