/// Commands about what makes music from prompts.
public enum WorkerRequest: Equatable, Sendable {
    case list
    case add(NewWorker)
    /// Asks the worker now whether it can be used.
    case test(String)
    /// The same of a service that is not added.
    case tryOut(url: String, token: WorkerToken?)
    /// The one that is used where a person names none.
    case makeUsual(String)
    case remove(String)
}

/// A worker that is added: a service, or a program of the hub's machine.
public struct NewWorker: Equatable, Sendable {
    public var name: String
    /// Where the service is; `nil` for a program.
    public var url: String?
    public var token: WorkerToken?
    /// The whole path of a program and its arguments, with spaces between them.
    public var program: String?
    /// Without network, and without the files of people and of the hub.
    public var isConfined: Bool
    /// Where a folder of the service is seen on the hub's machine: `REMOTE:LOCAL`.
    public var map: String?

    public init(
        _ name: String, url: String? = nil, token: WorkerToken? = nil, program: String? = nil, isConfined: Bool = true, map: String? = nil
    ) {
        self.name = name
        self.url = url
        self.token = token
        self.program = program
        self.isConfined = isConfined
        self.map = map
    }

    /// It names files of the hub's machine, or frees a program from its confinement.
    package var reachesFiles: Bool { program != nil || !isConfined || map != nil }
}
