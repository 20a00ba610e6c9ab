package import BatonSeams

/// Holds back what a hub does by itself after it has crashed at its last starts, since that may be why: keep rules, jobs, notes for
/// servers, recordings, podcasts, rooms that follow other servers, scans. Commands are carried out, and work that they would begin
/// waits with the rest. A person lets it go on.
@Loop
package final class WorkHold {
    /// In the order in which it was brought.
    private struct HeldWork {
        let begin: @Loop () -> Void
    }

    private let notes: (any CrashNoting)?
    private let log: Log
    /// `nil` while nothing is held.
    private(set) var record: CrashRecord?
    private var waiting: [HeldWork] = []
    private var alarm: (any Alarm)?

    init(_ notes: (any CrashNoting)?, _ reactor: any Reactor, _ log: Log) {
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

    package var isOn: Bool { record != nil }

    /// For people, while the work is held.
    package var sentence: String? { record?.sentence }

    /// Does it now, or when the work goes on.
    package func whenOver(_ work: @escaping @Loop () -> Void) {
        if isOn { waiting.append(HeldWork(begin: work)) } else { work() }
    }

    /// False when nothing was held. Crashes from now on count as if the hub had just started.
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

    /// The hub ends as it was told to. Work that is held stays held at the next start.
    func close() {
        alarm?.cancel()
        if !isOn { notes?.forget() }
    }
}
