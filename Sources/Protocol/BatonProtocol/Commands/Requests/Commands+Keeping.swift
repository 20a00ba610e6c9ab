public import BatonCore

// How the hub carries out commands about what is kept on the hub's own disk.

extension Commands.KeepList: HubRequest {
    package var request: Request { .keeping(.list) }
}

extension Commands.KeepLimit: HubRequest { package var request: Request { .keeping(.limit(Int64(bytes))) } }

extension Commands.KeepSet: HubRequest {
    public init(_ wish: KeepWish, _ isOn: Bool) {
        self.init(rule: wish.rule, isOn: isOn)
        if case .item(let uri) = wish { self.uri = uri }
        if case .mostPlayed(let count) = wish { self.count = count }
    }

    package var request: Request {
        let wish: KeepWish =
            switch rule {
            case .favourites: .favourites
            case .played: .mostPlayed(count ?? KeepWish.usualCount)
            case nil: .item(uri ?? ItemURI(""))
            }
        return .keeping(.set(wish, isOn))
    }
}
