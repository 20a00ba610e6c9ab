/// A worker as settings and commands describe it: a program of this machine, or a service on the network.
package struct WorkerDescription: Equatable, Sendable {
    package var name: String
    /// The path of a program and its arguments; empty for a service.
    package var program: [String] = []
    /// The address of a service.
    package var url: String?
    /// Without network, and without the files of people and of the hub.
    package var isConfined = true
    package var artifactMap: ArtifactMap?
    /// A file whose first line is the token that the service wants.
    package var tokenFile: String?

    package init(_ name: String, url: String? = nil) {
        self.name = name
        self.url = url
    }
}

/// Where a folder of a service is seen on this machine.
package struct ArtifactMap: Equatable, Sendable {
    package var remote: String
    package var local: String

    package init(remote: String, local: String) {
        self.remote = remote
        self.local = local
    }

    /// Of `REMOTE:LOCAL`, two whole paths.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map { $0.hasSuffix("/") ? $0.dropLast() : $0 }.map(String.init)
        guard parts.count == 2, parts.allSatisfy({ $0.hasPrefix("/") }) else { return nil }
        self.init(remote: parts[0], local: parts[1])
    }
}

/// The workers that were added by commands, and which one is usual.
package struct KeptWorkers: Equatable, Sendable {
    /// In the order in which they were added.
    package var workers: [WorkerDescription] = []
    package var usual: String?

    package init(_ workers: [WorkerDescription] = [], usual: String? = nil) {
        self.workers = workers
        self.usual = usual
    }
}

/// Keeps them across restarts. Every call may wait for the disk.
package protocol WorkerKeeper: Sendable {
    func kept() throws(SourceFault) -> KeptWorkers
    /// Returns when they would survive the end of the program.
    func keep(_ workers: KeptWorkers) throws(SourceFault)
    /// Keeps the token of a worker in a file, whose path is returned. `nil` removes it.
    func keep(token: String?, of name: String) throws(SourceFault) -> String?
}
