/// A worker in the form of settings and commands: a program of this machine, or a service on the network.
package struct WorkerDescription: Equatable, Sendable {
    /// The name by which people choose it.
    package var name: String
    /// The path of a program and its arguments; empty for a service.
    package var program: [String] = []
    /// The address of a service.
    package var url: String?
    /// True to deny access to the network and to the files of people and of the hub.
    package var isConfined = true
    /// The folder of a service that is also a folder here; `nil` where there is none.
    package var artifactMap: ArtifactMap?
    /// A file whose first line is the access token of the service.
    package var tokenFile: String?

    package init(_ name: String, url: String? = nil) {
        self.name = name
        self.url = url
    }
}

/// The local path of a folder of a service.
package struct ArtifactMap: Equatable, Sendable {
    /// The path as the service knows it.
    package var remote: String
    /// The path of the same folder here.
    package var local: String

    package init(remote: String, local: String) {
        self.remote = remote
        self.local = local
    }

    /// Reads `REMOTE:LOCAL`, two absolute paths.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map { $0.hasSuffix("/") ? $0.dropLast() : $0 }.map(String.init)
        guard parts.count == 2, parts.allSatisfy({ $0.hasPrefix("/") }) else { return nil }
        self.init(remote: parts[0], local: parts[1])
    }
}

/// The workers that were added by commands, and the default one.
package struct StoredWorkers: Equatable, Sendable {
    /// All workers in the order in which they were added.
    package var workers: [WorkerDescription] = []
    /// The name of the default worker; `nil` for the first one.
    package var usual: String?

    package init(_ workers: [WorkerDescription] = [], usual: String? = nil) {
        self.workers = workers
        self.usual = usual
    }
}

/// The store of workers. Every call may wait for the disk.
package protocol WorkerStorage: Sendable {
    func stored() throws(SourceFault) -> StoredWorkers
    /// Returns when the workers would survive the end of the program.
    func store(_ workers: StoredWorkers) throws(SourceFault)
    /// Stores the token of a worker in a file and returns its path. `nil` removes it.
    func store(token: String?, of name: String) throws(SourceFault) -> String?
}
