import BatonCore

// How the hub carries out commands about places in books and episodes.

extension Commands.ProgressFinish: HubRequest {
    package var request: Request { .progress(.finish(uri)) }
}

extension Commands.ProgressReset: HubRequest {
    package var request: Request { .progress(.reset(uri)) }
}

extension Commands.ProgressAsleep: HubRequest {
    package var request: Request { .progress(.asleep) }
}

extension Commands.ProgressHere: HubRequest { package var request: Request { .progress(.here) } }

extension Commands.ProgressTold: HubRequest {
    public init(_ report: ProgressReport) {
        self.init(report.uri, positionMs: report.positionMs, session: report.session, parent: report.parent, isAtEnd: report.isAtEnd)
    }

    package var request: Request {
        .progress(.report(ProgressReport(uri, positionMs: positionMs, session: session, parent: parent, isAtEnd: isAtEnd)))
    }
}

extension Commands.ProgressListing: HubRequest {
    package var request: Request { .progress(.list(uri: uri, isFinished: isFinished, page)) }
}

extension Commands.ProgressRestore: HubRequest {
    package var request: Request { .progress(.restore(uri, session)) }
}
