/// Notes of rooms that wait to be written. A report takes the place of an earlier one of its stretch; where one room takes over from
/// another, the new stretch begins behind what the old one has reached.
package struct PlaceNotes: Sendable {
    private var notes: [PlaceWatch.Note] = []

    package init() {}

    package var isEmpty: Bool { notes.isEmpty }

    package mutating func add(_ note: PlaceWatch.Note) {
        let session = note.stretch.session
        guard !note.isBeginning else { return notes.append(note) }
        notes.removeAll { !$0.isBeginning && $0.stretch.session == session }
        let before = notes.lastIndex { !$0.isBeginning || $0.stretch.session == session }
        notes.insert(note, at: before.map { $0 + 1 } ?? 0)
    }

    package mutating func takeFirst() -> PlaceWatch.Note? { notes.isEmpty ? nil : notes.removeFirst() }

    /// It could not be written. A newer report of the same stretch makes it needless.
    package mutating func putBack(_ note: PlaceWatch.Note) {
        guard note.isBeginning || !notes.contains(where: { $0.stretch.session == note.stretch.session }) else { return }
        notes.insert(note, at: 0)
    }
}
