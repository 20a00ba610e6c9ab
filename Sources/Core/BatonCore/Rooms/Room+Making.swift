/// What becomes of entries whose piece was made meanwhile.
extension Room {
    /// The source says something else of an item than when it was queued, as when a piece is ready. A player that was told of it as its
    /// follower is told again, since it could not have the sound before.
    package mutating func describe(_ uri: ItemURI, _ tags: Tags) -> Outcome {
        var outcome = Outcome()
        for entry in queue.entries where entry.uri == uri {
            if let change = queue.describe(entry.id, tags, entry.format) { outcome.changes.append(change) }
            outcome.touched.formUnion(entry.id == queue.current ? [.now, .queue] : [.queue])
            if entry.id == followed { outcome.orders.append(.follow(entry.id, entry.uri, entry.trust)) }
        }
        if outcome.touched.contains(.now) { outcome.touched.insert(.timeline) }
        return outcome
    }
}
