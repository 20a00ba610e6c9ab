/// Notes of rooms that wait to be written. A newer report replaces an earlier one of the same stretch. When a room takes over from another, its new
/// stretch begins after the last report of the old one.
package struct PlaceNotes: Sendable {
    private var notes: [PlaceWatch.Note] = []

    /// A list in which nothing waits.
    package init() {}

    /// True when all notes were taken.
    package var isEmpty: Bool { notes.isEmpty }

    /// Adds a note. A report replaces an earlier report of the same session that still waits.
    package mutating func add(_ note: PlaceWatch.Note) {
        let session = note.stretch.session
        guard !note.isBeginning else { return notes.append(note) }
        notes.removeAll { !$0.isBeginning && $0.stretch.session == session }
        let before = notes.lastIndex { !$0.isBeginning || $0.stretch.session == session }
        notes.insert(note, at: before.map { $0 + 1 } ?? 0)
    }

    /// The note that waits longest, which leaves the list.
    package mutating func takeFirst() -> PlaceWatch.Note? { notes.isEmpty ? nil : notes.removeFirst() }

    /// Puts back a note that could not be written, unless a newer report of the same stretch waits.
    package mutating func putBack(_ note: PlaceWatch.Note) {
        guard note.isBeginning || !notes.contains(where: { $0.stretch.session == note.stretch.session }) else { return }
        notes.insert(note, at: 0)
    }
}
