/// Commands about what makes music from prompts.
extension Commands {
    /// Adds a service, or a program of the hub's machine.
    public struct WorkerAdd: HubRequest {
        public static let kind = RequestKind.workerAdd
        public var worker: NewWorker

        public init(_ worker: NewWorker) { self.worker = worker }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            let worker = value?.worker
            return Self(
                NewWorker(
                    try p.required("name", p.sourceName("name", worker?.name)), url: try p.serverURL("url", worker?.url),
                    token: try p.workerToken(worker?.token), program: try p.text("program", worker?.program, bytes: 2...1024),
                    isConfined: try p.bool("sandbox", worker?.isConfined, default: true),
                    map: try p.text("map", worker?.map, bytes: 3...2048)))
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            guard (worker.url == nil) != (worker.program == nil) else {
                throw faults.fault("url", "A worker is a service, by its url, or a program, and not both.")
            }
        }

        package var request: Request { .workers(.add(worker)) }
    }

    /// Asks a worker now whether it can be used, or a service that is not added.
    public struct WorkerTest: HubRequest {
        public typealias Answer = WorkerTested

        public static let kind = RequestKind.workerTest
        /// A worker of the hub; without it, the service that the rest describes.
        public var name: String?
        public var url: String?
        public var token: WorkerToken?

        public init(_ name: String) { self.init(name: name) }

        public init(url: String, token: WorkerToken? = nil) { self.init(name: nil, url: url, token: token) }

        private init(name: String?, url: String? = nil, token: WorkerToken? = nil) {
            self.name = name
            self.url = url
            self.token = token
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                name: try p.sourceName("name", value?.name), url: try p.serverURL("url", value?.url),
                token: try p.workerToken(value?.token))
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            guard (name == nil) != (url == nil), name == nil || token == nil else {
                throw faults.fault("name", "Name a worker, or say where a service is by its url, and not both.")
            }
        }

        package var request: Request {
            if let name { return .workers(.test(name)) }
            return .workers(.tryOut(url: url ?? "", token: token))
        }
    }
}

extension ParameterCoder {
    fileprivate mutating func workerToken(_ value: WorkerToken?) throws(ProtocolFault) -> WorkerToken? {
        try text("token", value?.text, bytes: 1...1024).map { WorkerToken($0) }
    }
}

extension Commands.Workers: HubRequest {
    public typealias Answer = WorkerList
    package var request: Request { .workers(.list) }
}
extension Commands.WorkerDefault: HubRequest { package var request: Request { .workers(.makeUsual(name)) } }
extension Commands.WorkerRemove: HubRequest { package var request: Request { .workers(.remove(name)) } }
