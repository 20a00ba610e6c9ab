import BatonCore

/// Commands about music that is made from prompts.
extension Commands {
    /// Keeps the sound of a piece for good, or no longer.
    public struct JobKeep: HubRequest {
        public static let kind = RequestKind.jobKeep
        public var job: String
        public var isOn: Bool

        public init(_ job: String, _ isOn: Bool = true) {
            self.job = job
            self.isOn = isOn
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("job", p.token("job", value?.job, length: 4...32)), try p.bool("on", value?.isOn, default: true))
        }

        package var request: Request { .jobs(.keep(job, isOn)) }
    }
}

extension Commands.PromptParse: HubRequest {
    public typealias Answer = ParsedPrompt
    package var request: Request { .jobs(.parse(text, worker: worker)) }
}
extension Commands.JobCancel: HubRequest { package var request: Request { .jobs(.cancel(job)) } }
extension Commands.JobRetry: HubRequest { package var request: Request { .jobs(.retry(job)) } }
extension Commands.JobApprove: HubRequest { package var request: Request { .jobs(.approve(job)) } }

extension Commands.JobBegin: HubRequest {
    public typealias Answer = StartedJob
    public init(_ start: JobStart) { self.init(text: start.text, worker: start.worker, target: start.target) }
    package var request: Request { .jobs(.start(JobStart(text, worker: worker, target: target))) }
}
extension Commands.JobList: HubRequest {
    public typealias Answer = JobRows
    public init(_ query: JobQuery) { self.init(which: query.which, from: query.from, limit: query.limit) }
    package var request: Request { .jobs(.list(JobQuery(which, from: from, limit: limit))) }
}
