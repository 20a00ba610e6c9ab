import BatonCore
import BatonProtocol
package import BatonSeams

/// One process of a simulated hub, from its start to its death.
///
/// A hub that was killed must not act any more: its alarms never fire, its journal takes nothing,
/// its connections carry nothing. Everything it was made of asks here first. A death can be put
/// inside a commit, just before or just after it, which no outside hand could time.
@Loop
package final class Lifetime {
    package private(set) var isOver = false
    /// Commits that are still made; the one after them is the last thing the process does.
    package var commitsLeft: Int?
    /// Whether the last commit reaches the journal.
    package var lastCommitCounts = false
    /// Called once, at the moment of death.
    package var onEnd: [() -> Void] = []

    package init() {}

    package func end() {
        guard !isOver else { return }
        isOver = true
        let parts = onEnd
        onEnd = []
        for part in parts { part() }
    }
}

/// The clock and alarms of one process.
@Loop
final class MortalReactor: Reactor {
    private let time: VirtualTime
    private let life: Lifetime
    private let lookCostUs: () -> Microseconds

    /// `lookCostUs` is what work between two looks at the clock takes, so that work can take long.
    init(time: VirtualTime, life: Lifetime, lookCostUs: @escaping () -> Microseconds) {
        self.time = time
        self.life = life
        self.lookCostUs = lookCostUs
    }

    var nowUs: Microseconds {
        time.spend(us: lookCostUs())
        return time.nowUs
    }

    func watch(_ descriptor: Int32, for interest: Readiness, _ action: @escaping @Loop (Readiness) -> Void) -> any Watch {
        time.watch(descriptor, for: interest, action)
    }

    func after(_ delay: Duration, _ action: @escaping @Loop () -> Void) -> any Alarm {
        let life = life
        return time.after(delay) { if !life.isOver { action() } }
    }
}

/// The journal as one process holds it: nothing is stored for a process that has died.
@Loop
final class MortalJournal: Journal {
    private let journal: MemoryJournal
    private let life: Lifetime

    init(journal: MemoryJournal, life: Lifetime) {
        self.journal = journal
        self.life = life
    }

    func load() throws(JournalFault) -> Recovered { try journal.load() }

    func commit(_ changes: [Change]) throws(JournalFault) {
        if life.isOver { throw JournalFault(.full, "This process has died.") }
        guard let left = life.commitsLeft else { return try journal.commit(changes) }
        if left > 0 || life.lastCommitCounts { try journal.commit(changes) }
        if left == 0 { return life.end() }
        life.commitsLeft = left - 1
    }

    func answer(device: String, key: String, to kind: CommandKind) throws(JournalFault) -> StoredAnswer? {
        try journal.answer(device: device, key: key, to: kind)
    }

    func store(_ lastRoom: LastRoom) throws(JournalFault) {
        if !life.isOver { try journal.store(lastRoom) }
    }

    func reserveRevisions(upTo last: Int) throws(JournalFault) {
        if !life.isOver { try journal.reserveRevisions(upTo: last) }
    }

    var clockMs: Milliseconds { journal.clockMs }

    var health: JournalHealth { journal.health }
}
