import BatonCore
import BatonSeams

/// How old the sound of a station is that is heard, where its past is kept: told when it begins, and when it is another than was told.
extension MPVPlayer {
    struct ToldPast: Equatable {
        var order: Int
        var askedUs: Int64
        var ageMs: Int?
        var oldestUs: Int64 = 0
        /// Measurements in a row that were others.
        var others = 0

        private static let betweenUs: Int64 = 1_000_000
        private static let settledBetweenUs: Int64 = 10_000_000

        /// The age of what is heard changes when the movement does, which begins another line; while one line holds, a look now and then
        /// is enough. Each is a question that libmpv answers with all that it knows of its store.
        func isDue(atUs now: Int64, isSettled: Bool) -> Bool {
            now - askedUs >= (isSettled && ageMs != nil && others == 0 ? Self.settledBetweenUs : Self.betweenUs)
        }
    }

    private static let nearMs = 5000
    private static let nearUs: Int64 = 60_000_000
    /// Bytes are read in large pieces, so one measurement alone says little.
    private static let enough = 3

    /// Asked with every measured position, while something is heard.
    func lookAtPast(of slot: LoadedEntries.Slot, atSeconds seconds: Double) {
        guard let received = files.received(of: slot.order) else { return }
        if toldPast?.order != slot.order { toldPast = ToldPast(order: slot.order, askedUs: Int64.min / 2) }
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
