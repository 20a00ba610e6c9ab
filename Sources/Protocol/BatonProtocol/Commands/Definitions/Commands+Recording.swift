import BatonCore

extension Commands.RadioRecord: HubRequest {
    public init(_ wish: RecordRequest) {
        switch wish {
        case .start(let uri, let atMs, let lengthMs, let repeats):
            self.init(uri: uri, atMs: atMs.map { Int($0) }, lengthMs: lengthMs, every: repeats)
        case .stop(let id): self.init(stop: id)
        }
    }

    package var request: Request {
        if let stop { return .radio(.record(.stop(stop))) }
        return .radio(.record(.start(uri ?? ItemURI(""), atMs: atMs.map { Int64($0) }, lengthMs: lengthMs, repeats: every)))
    }
}
