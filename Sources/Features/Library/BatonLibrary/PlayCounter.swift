import BatonCore
package import BatonKernel
package import BatonSeams

/// Measures how much of each room's current entry was heard, counts a play when it is enough, and reports the start of
/// entries.
@Loop
package final class PlayCounter {
    private let library: LibraryService
    private let ports: Ports
    private let clock: HubClock

    init(in library: LibraryService, ports: Ports, clock: HubClock) {
        self.library = library
        self.ports = ports
        self.clock = clock
    }

    /// True when plays in this room count: in a private room only those of a user, who has a history. The common history is
    /// visible to all.
    private func counts(_ live: LiveRoom) -> Bool { !live.isPrivate || listener(in: live).isUser }

    private func listener(in live: LiveRoom) -> Person { ports.personFinding?.listener(in: live.room.id) ?? .home }

    /// Checks the room now, and again when enough of the entry will have been heard.
    package func look(at live: LiveRoom) {
        guard library.userMarks != nil else { return }
        let now = clock.now
        if let played = live.listening.look(at: live.room.currentEntry, on: live.room.timeline, now: now) {
            let sinceMs = now.wallMs - Milliseconds(now.us - live.listening.playedSinceUs)
            if counts(live) {
                let item = NewEntry(uri: played.uri, tags: played.tags, askedBy: played.addedBy)
                library.notePlayed(item, by: listener(in: live), in: live.room.id, sinceMs: sinceMs)
            }
        }
        if let begun = live.listening.takeBegun(), !live.isPrivate { library.noteBegun(begun) }
        let dueUs = live.isGone ? nil : live.listening.dueUs
        guard dueUs != live.listeningDueUs else { return }
        live.listeningAlarm?.cancel()
        live.listeningDueUs = dueUs
        live.listeningAlarm = dueUs.map { dueUs in
            clock.after(.microseconds(max(0, dueUs - clock.nowUs))) { [weak self, weak live] in
                guard let self, let live else { return }
                live.listeningDueUs = nil
                self.look(at: live)
            }
        }
    }
}
