public import BatonCore

// How the hub carries out commands about the sleep timer.

extension Commands.SleepClear: HubRequest { package var request: Request { .room(.clearSleep) } }

extension Commands.SleepSet: HubRequest {
    public init(_ wish: SleepWish) {
        let count = wish.end == .track || wish.end == .chapter ? wish.amount : nil
        self.init(wish.end, ms: wish.end == .time ? wish.amount : nil, count: count, fadeMs: wish.fadeMs)
    }

    package var request: Request { .room(.setSleep(SleepWish(end, amount: ms ?? count ?? 1, fadeMs: fadeMs))) }
}
