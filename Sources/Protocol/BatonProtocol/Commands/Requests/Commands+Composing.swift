import BatonCore

// How the hub carries out commands about music without end, and other pieces from the plan of one.

extension Commands.SteerNext: HubRequest {
    package var request: Request { .composing(.steer(way)) }
}

extension Commands.Again: HubRequest {
    package var request: Request { .composing(.again(recipe, target: target)) }
}

extension Commands.Endless: HubRequest {
    public init(_ wish: EndlessWish) {
        self.init(wish.isOn, text: wish.text, worker: wish.worker, ahead: wish.ahead, follow: wish.follow)
    }

    package var request: Request {
        .composing(.endless(EndlessWish(isOn, text: text, worker: worker, ahead: ahead, follow: follow)))
    }
}

extension Commands.Vary: HubRequest {
    package var request: Request { .composing(.vary(uri, amount: amount, target: target)) }
}
