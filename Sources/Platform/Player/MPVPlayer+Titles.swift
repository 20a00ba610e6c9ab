import BatonSeams

/// Titles of live streams, reported when they are heard and not when they are read.
extension MPVPlayer {
    /// Called with every measured position of a live stream. Returns the seconds until the next known title.
    func hearTitles(atSeconds seconds: Double) -> Double? {
        guard let slot = deck.live, slot.playable.isLive else { return nil }
        lookAtPast(of: slot, atSeconds: seconds)
        if let read = files.takeTitles(of: slot.order) {
            order { [weak self] core in
                core.get("demuxer-cache-state") { _, state in
                    guard let self, slot.order == self.deck.live?.order else { return }
                    self.description.titles.add(read, end: state["cache-end"]?.number ?? seconds, of: slot.order)
                    if self.description.titles.hear(atSeconds: seconds, of: slot.order) { self.describe() }
                }
            }
            // Their times are known then.
            return 0
        }
        if description.titles.hear(atSeconds: seconds, of: slot.order) { describe() }
        return description.titles.next(of: slot.order).map { $0 - seconds }
    }
}
