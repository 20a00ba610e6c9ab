import BatonCore
import BatonSeams

/// Reports the age of a station's sound if its past is stored: at the start, and when the age has changed.
extension MPVPlayer {
    struct ReportedPast: Equatable {
        var order: Int
        var askedUs: Int64
        var ageMs: Int?
        var oldestUs: Int64 = 0
        /// Number of measurements in a row that differed.
        var others = 0

        private static let betweenUs: Int64 = 1_000_000
        private static let settledBetweenUs: Int64 = 10_000_000

        /// Whether a measurement is due. The age changes only with the movement, which starts another line; while one line holds, rare
        /// measurements suffice. For each one, libmpv returns the whole state of its cache.
        func isDue(atUs now: Int64, isSettled: Bool) -> Bool {
            now - askedUs >= (isSettled && ageMs != nil && others == 0 ? Self.settledBetweenUs : Self.betweenUs)
        }
    }

    private static let nearMs = 5000
    private static let nearUs: Int64 = 60_000_000
    /// Number of measurements that confirm a change, since bytes are read in large pieces.
    private static let enough = 3

    /// Called with every measured position during playback.
    func lookAtPast(of slot: LoadedEntries.Slot, atSeconds seconds: Double) {
        guard let received = files.received(of: slot.order) else { return }
        if toldPast?.order != slot.order { toldPast = ReportedPast(order: slot.order, askedUs: Int64.min / 2) }
        guard toldPast?.isDue(atUs: reactor.nowUs, isSettled: position.isSettled) == true else { return }
        toldPast?.askedUs = reactor.nowUs
        order { [weak self] core in
            core.get("demuxer-cache-state") { _, state in
                guard let self, slot.order == self.deck.live?.order, let end = state["cache-end"]?.number else { return }
                self.compare(
                    slot, ageMs: Self.ms(since: received.at) + Int(max(0, end - seconds) * 1000), reachMs: Self.ms(since: received.oldestAt)
                )
            }
        }
    }

    private func compare(_ slot: LoadedEntries.Slot, ageMs: Int, reachMs: Int) {
        guard var told = toldPast, told.order == slot.order else { return }
        let oldestUs = reactor.nowUs - Int64(reachMs) * 1000
        let isNear = told.ageMs.map { abs($0 - ageMs) < Self.nearMs } ?? false
        told.others = isNear ? 0 : told.others + 1
        toldPast = told
        guard told.ageMs == nil || told.others >= Self.enough || abs(oldestUs - told.oldestUs) > Self.nearUs else { return }
        toldPast?.ageMs = isNear ? told.ageMs : ageMs
        toldPast?.oldestUs = oldestUs
        toldPast?.others = 0
        tell(.past(slot.entry, ageMs: toldPast?.ageMs, reachMs: reachMs, atUs: reactor.nowUs))
    }

    private static func ms(since moment: ContinuousClock.Instant) -> Int {
        let passed = moment.duration(to: .now).components
        return Int(passed.seconds) * 1000 + Int(passed.attoseconds / 1_000_000_000_000_000)
    }
}
