/// The journal of a running hub: a `StateFile` that lives on the loop.
package import BatonCore
package import BatonProtocol
package import BatonSeams

@Loop
package final class StateStore: Journal {
    // Passed on by the initialiser, which keeps no reference; every method runs on the loop.
    private nonisolated(unsafe) let file: StateFile

    /// Locks the data folder and opens `state.db` in it. Called before the loop runs. `prepare` is called in between, when no other hub
    /// uses the folder and no store is open.
    package nonisolated init(
        folder: String, freshEpoch: String, prepare: (String) throws(JournalFault) -> Void = { _ in }
    ) throws(JournalFault) {
        let taken = try DataFolder(folder)
        try prepare(folder)
        unsafe file = try StateFile(in: taken, freshEpoch: freshEpoch)
    }

    package func load() throws(JournalFault) -> Recovered { unsafe try file.load() }

    package func commit(_ changes: [Change]) throws(JournalFault) { unsafe try file.commit(changes) }

    package func store(_ lastRoom: LastRoom) throws(JournalFault) { unsafe try file.store(lastRoom) }

    package func answer(device: String, key: String, to kind: CommandKind) throws(JournalFault) -> StoredAnswer? {
        unsafe try file.answer(device: device, key: key, to: kind)
    }

    package var clockMs: Milliseconds { unsafe file.clockMs }

    package func reserveRevisions(upTo last: Int) throws(JournalFault) { unsafe try file.reserveRevisions(upTo: last) }

    package var health: JournalHealth { unsafe file.health }

    package var measure: StateFile.Measure { unsafe file.measure }

    /// Closes the file; the hub's last call. Waits for the disk.
    package func close() { unsafe file.close() }
}
