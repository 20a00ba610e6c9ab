import BatonCore

/// Commands about music that is made from prompts.
extension Commands {
    /// Has a piece of music made, and queues it.
    public struct JobBegin: HubRequest {
        public typealias Answer = StartedJob

        public static let kind = RequestKind.jobStart
        public var start: JobStart

        public init(_ start: JobStart) { self.start = start }

        /// What kinds of job there are.
        private enum Kind: String, CaseIterable { case generation }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            _ = try p.required("kind", p.choice("kind", value == nil ? nil : Kind.generation))
            return Self(
                JobStart(
                    try p.required("text", p.text("text", value?.start.text, bytes: 1...PromptBounds.lineBytes)),
                    worker: try p.sourceName("worker", value?.start.worker),
                    target: try p.choice("at", value?.start.target, default: .end)))
        }

        package var request: Request { .jobs(.start(start)) }
    }

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

    /// Lists the jobs, the newest first.
    public struct JobList: HubRequest {
        public typealias Answer = JobRows

        public static let kind = RequestKind.jobList
        public var query: JobQuery

        public init(_ query: JobQuery = JobQuery()) { self.query = query }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                JobQuery(
                    try p.choice("which", value?.query.which, default: .all),
                    from: try p.int("from", value?.query.from, in: 0...ParameterRange.deepest, default: 0),
                    limit: try p.int("limit", value?.query.limit, in: 1...JobQuery.most, default: JobQuery.most)))
        }

        package var request: Request { .jobs(.list(query)) }
    }
}

extension Commands.PromptParse: HubRequest {
    public typealias Answer = ParsedPrompt
    package var request: Request { .jobs(.parse(text, worker: worker)) }
}
extension Commands.JobCancel: HubRequest { package var request: Request { .jobs(.cancel(job)) } }
extension Commands.JobRetry: HubRequest { package var request: Request { .jobs(.retry(job)) } }
extension Commands.JobApprove: HubRequest { package var request: Request { .jobs(.approve(job)) } }
