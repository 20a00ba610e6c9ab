/// A playlist is a queue without playback: the same anchors, refusals and undo.
extension PlaybackQueue {
    /// The result of one edit.
    package struct Edited: Equatable, Sendable {
        /// The ids of new entries, in the order in which they were given.
        package var added: [EntryID] = []
        /// True when the list differs from before, so that it is stored and announced.
        package var isChanged = false

        package init(added: [EntryID] = [], isChanged: Bool = false) {
            self.added = added
            self.isChanged = isChanged
        }
    }

    /// Applies one edit, or throws and changes nothing. The name of a playlist is not part of the queue, so editing that changes nothing here.
    package mutating func apply(_ edit: PlaylistEdit, numbers: inout EntryNumbers, at now: Moment) throws(Refusal) -> Edited {
        var list = self
        var taken = numbers
        // Nothing plays, so undo has no current entry to preserve.
        list.current = nil
        let edited = try list.perform(edit, numbers: &taken, at: now)
        list.current = nil
        self = list
        numbers = taken
        return edited
    }

    private mutating func perform(_ edit: PlaylistEdit, numbers: inout EntryNumbers, at now: Moment) throws(Refusal) -> Edited {
        let before = self
        switch edit {
        case .rename, .describe, .rule: return Edited()
        case .undo:
            let back = try takeBack(whilePlaying: false, by: nil, at: now)
            return Edited(isChanged: !back.changes.isEmpty)
        case .add(let items, let place):
            let new = items.map {
                QueueEntry(id: numbers.take(), uri: $0.uri, tags: $0.tags, addedAtMs: now.wallMs, trust: $0.trust ?? .itemsOnly)
            }
            guard try !insert(new, at: place).isEmpty else { return Edited() }
            current = nil
            _ = note(.add, brought: new.map(\.id), since: before, by: nil, at: now)
            return Edited(added: new.map(\.id), isChanged: true)
        case .remove(let ids):
            let removed = remove(ids).removed
            guard !removed.isEmpty else { return Edited() }
            _ = note(.remove, taken: removed, since: before, by: nil, at: now)
        case .move(let ids, let place):
            guard try !move(ids, to: place).isEmpty else { return Edited() }
            _ = note(.move, moved: ids, since: before, by: nil, at: now)
        case .clear:
            guard !clear(keeping: .none).isEmpty else { return Edited() }
            _ = note(.clear, taken: before.entries, since: before, by: nil, at: now)
        }
        return Edited(isChanged: true)
    }
}
