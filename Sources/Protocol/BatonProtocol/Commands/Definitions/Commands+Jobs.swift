import BatonCore

/// Commands about music that is made from prompts.
extension Commands {
    /// Reads a line of a prompt, and says what is not understood and where.
    public struct PromptParse: HubRequest {
        public typealias Answer = ParsedPrompt

        public static let kind = RequestKind.genParse
        public var text: String
        public var worker: String?

        public init(_ text: String, worker: String? = nil) {
            self.text = text
            self.worker = worker
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("text", p.text("text", value?.text, bytes: 0...PromptBounds.lineBytes)),
                worker: try p.sourceName("worker", value?.worker))
        }

        package var request: Request { .jobs(.parse(text, worker: worker)) }
    }

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

    /// Ends a job. Its entry stays, and is passed over.
    public struct JobCancel: HubRequest {
        public static let kind = RequestKind.jobCancel
        public var job: String

        public init(_ job: String) { self.job = job }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.required("job", p.token("job", value?.job, length: 4...32)))
        }

        package var request: Request { .jobs(.cancel(job)) }
    }

    /// Makes a piece anew that failed or was cancelled.
    public struct JobRetry: HubRequest {
        public static let kind = RequestKind.jobRetry
        public var job: String

        public init(_ job: String) { self.job = job }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.required("job", p.token("job", value?.job, length: 4...32)))
        }

        package var request: Request { .jobs(.retry(job)) }
    }

    /// Lets a piece be made that waits for approval.
    public struct JobApprove: HubRequest {
        public static let kind = RequestKind.jobApprove
        public var job: String

        public init(_ job: String) { self.job = job }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.required("job", p.token("job", value?.job, length: 4...32)))
        }

        package var request: Request { .jobs(.approve(job)) }
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
