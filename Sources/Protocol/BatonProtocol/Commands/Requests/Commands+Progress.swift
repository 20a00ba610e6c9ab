import BatonCore

// How the hub carries out commands about places in books and episodes.

extension Commands.ProgressFinish: HubRequest {
    public typealias Answer = ProgressList
    package var request: Request { .progress(.finish(uri)) }
}

extension Commands.ProgressReset: HubRequest {
    public typealias Answer = ProgressList
    package var request: Request { .progress(.reset(uri)) }
}

extension Commands.ProgressAsleep: HubRequest {
    public typealias Answer = AsleepPlaces
    package var request: Request { .progress(.asleep) }
}

extension Commands.ProgressHere: HubRequest { package var request: Request { .progress(.here) } }

extension Commands.ProgressTold: HubRequest {
    public typealias Answer = ProgressList

    public init(_ report: ProgressReport) {
        self.init(report.uri, positionMs: report.positionMs, session: report.session, parent: report.parent, isAtEnd: report.isAtEnd)
    }

    package var request: Request {
        .progress(.report(ProgressReport(uri, positionMs: positionMs, session: session, parent: parent, isAtEnd: isAtEnd)))
    }
}

extension Commands.ProgressListing: HubRequest {
    public typealias Answer = ProgressList
    package var request: Request { .progress(.list(uri: uri, isFinished: isFinished, page)) }
}

extension Commands.ProgressRestore: HubRequest {
    public typealias Answer = ProgressList
    package var request: Request { .progress(.restore(uri, session)) }
}
