import BatonSeams

/// The lanes of all sources, one each, made at the first question.
@Loop
final class SourceLanes {
    private var lanes: [String: SourceLane] = [:]
    private let reactor: any Reactor
    private let makeThreads: Sources.MakeThreads

    init(_ reactor: any Reactor, threads: @escaping Sources.MakeThreads) {
        self.reactor = reactor
        makeThreads = threads
    }

    /// The lane of a source. `whenSilent` is called when none of its questions is answered.
    func lane(of source: String, whenSilent: (@Loop () -> Void)?) -> SourceLane {
        if let lane = lanes[source] { return lane }
        let lane = SourceLane(threads: makeThreads(source), reactor: reactor, whenSilent: whenSilent)
        lanes[source] = lane
        return lane
    }

    /// Drops the lane of a removed source. Its running questions are answered as usual.
    func forget(_ source: String) { lanes[source] = nil }

    /// True while other questions run that background work would delay.
    func isBusy(_ source: String) -> Bool { lanes[source].map { $0.running >= 2 } ?? false }
}
