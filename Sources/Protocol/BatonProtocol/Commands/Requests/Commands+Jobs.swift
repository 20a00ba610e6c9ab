import BatonCore

// How the hub carries out commands about music that is made from prompts.

extension Commands.PromptParse: HubRequest {
    package var request: Request { .jobs(.parse(text, worker: worker)) }
}

extension Commands.JobCancel: HubRequest { package var request: Request { .jobs(.cancel(job)) } }
extension Commands.JobRetry: HubRequest { package var request: Request { .jobs(.retry(job)) } }
extension Commands.JobApprove: HubRequest { package var request: Request { .jobs(.approve(job)) } }

extension Commands.JobBegin: HubRequest {
    public init(_ start: JobStart) { self.init(text: start.text, worker: start.worker, target: start.target) }
    package var request: Request { .jobs(.start(JobStart(text, worker: worker, target: target))) }
}

extension Commands.JobList: HubRequest {
    public init(_ query: JobQuery) { self.init(which: query.which, from: query.from, limit: query.limit) }
    package var request: Request { .jobs(.list(JobQuery(which, from: from, limit: limit))) }
}

extension Commands.JobKeep: HubRequest { package var request: Request { .jobs(.keep(job, isOn)) } }
