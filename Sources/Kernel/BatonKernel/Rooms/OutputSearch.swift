import BatonCore
package import BatonSeams

/// Asks the player for its devices when a command names an unknown one or a room waits for one.
///
/// Sound servers may take long to answer, so the loop never waits for the player, and a command waits only for a limited
/// time. Commands at the same time share one query.
@Loop
package final class OutputSearch {
    private let list: HubParts.ListDevices
    /// The players, which get every list before a command continues.
    weak var players: RoomPlayers?
    private let reactor: any Reactor
    private var asking: Task<Void, Never>?
    private var waiting: [CheckedContinuation<Bool, Never>] = []
    private var limit: (any Alarm)?
    private var answeredUs: Microseconds?
    private var again: (any Alarm)?
    private var attempts = 0

    /// Time limit for one answer of the player.
    private static let patience = Duration.seconds(5)
    private static let closingLimit = Duration.seconds(1)
    /// Age up to which an answer serves the next query too, since each query needs a player of its own.
    private static let freshUs: Microseconds = 500_000
    private static let pauses: [Duration] = [.seconds(2), .seconds(4), .seconds(8), .seconds(16), .seconds(32), .seconds(60)]

    init(_ list: @escaping HubParts.ListDevices, reactor: any Reactor) {
        self.list = list
        self.reactor = reactor
    }

    /// Waits until the player has answered; false when the time limit passed.
    func look() async -> Bool {
        if let answeredUs, reactor.nowUs - answeredUs < Self.freshUs { return true }
        return await withCheckedContinuation { answer in
            waiting.append(answer)
            // The query starts only now: a player that answered before this closure runs would leave it waiting without a limit.
            begin()
            if limit == nil { limit = reactor.after(Self.patience) { [weak self] in self?.release(false) } }
        }
    }

    /// Asks without waiting.
    func begin() {
        again?.cancel()
        again = nil
        guard asking == nil else { return }
        asking = Task(executorPreference: Loop.jobs) { [weak self, list] in
            let devices = await list()
            await self?.answered(devices)
        }
    }

    /// Asks again after a pause, which grows each time.
    func beginLater() {
        guard again == nil, asking == nil else { return }
        again = reactor.after(Self.pauses[min(attempts, Self.pauses.count - 1)]) { [weak self] in self?.begin() }
        attempts += 1
    }

    /// Stops asking, since no room waits.
    func rest() {
        again?.cancel()
        again = nil
        attempts = 0
    }

    /// Waits for a running query, up to a limit for sound servers that do not answer.
    func close() async {
        rest()
        release(false)
        guard asking != nil else { return }
        _ = await withCheckedContinuation { answer in
            // Other work may have run on the loop before this closure does.
            guard asking != nil else { return answer.resume(returning: true) }
            waiting.append(answer)
            limit?.cancel()
            limit = reactor.after(Self.closingLimit) { [weak self] in self?.release(false) }
        }
    }

    private func answered(_ devices: [AudioDevice]) {
        asking = nil
        answeredUs = reactor.nowUs
        players?.note(devices)
        release(true)
    }

    private func release(_ isAnswered: Bool) {
        limit?.cancel()
        limit = nil
        let released = waiting
        waiting = []
        for one in released { one.resume(returning: isAnswered) }
    }
}
