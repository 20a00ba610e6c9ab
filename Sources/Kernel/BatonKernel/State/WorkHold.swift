package import BatonSeams

/// Holds the hub's own work after crashes at its last starts, since that work may be the cause: keep rules, jobs, notes for
/// servers, recordings, podcasts, rooms that follow other servers, and scans. Commands are carried out, but the work that
/// they would begin is held too. A person releases it.
@Loop
package final class WorkHold {
    /// Held work, in the order in which it was added.
    private struct HeldWork {
        let begin: @Loop () -> Void
    }

    private let notes: (any CrashNoting)?
    private let log: Log
    /// The crashes that hold the work; `nil` while none is held.
    private(set) var record: CrashRecord?
    private var waiting: [HeldWork] = []
    private var alarm: (any Alarm)?

    init(notes: (any CrashNoting)?, _ reactor: any Reactor, _ log: Log) {
        self.notes = notes
        self.log = log
        let known = notes.map { CrashRecord($0.lines) }
        if let sentence = known?.sentence {
            record = known
            log(.error, sentence)
        } else if notes != nil {
            alarm = reactor.after(.milliseconds(CrashRecord.periodMs)) { notes?.forget() }
        }
    }

    /// True from a start after repeated crashes until a person releases the work.
    package var isOn: Bool { record != nil }

    /// A sentence for people; `nil` while no work is held.
    package var sentence: String? { record?.sentence }

    /// Does the work now, or when the hold ends.
    package func whenOver(_ work: @escaping @Loop () -> Void) {
        if isOn { waiting.append(HeldWork(begin: work)) } else { work() }
    }

    /// Ends the hold. False when there was none. Later crashes are measured from now on.
    func end() -> Bool {
        guard isOn else { return false }
        record = nil
        notes?.forget()
        notes?.countFromNow()
        log(.notice, "The work that waited after crashes goes on.")
        for work in waiting { work.begin() }
        waiting = []
        return true
    }

    /// Notes that the hub ends by request. Held work stays held at the next start.
    func close() {
        alarm?.cancel()
        if !isOn { notes?.forget() }
    }
}
