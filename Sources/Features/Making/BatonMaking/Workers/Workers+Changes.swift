import BatonKernel
import BatonProtocol
import BatonSeams

/// Adding, choosing and removing workers. A change is stored before it is used.
extension Workers {
    /// Adds a worker. False when nothing changed.
    func add(_ new: Commands.WorkerAdd) async throws(SourceFault) -> Bool {
        let parts = try changing()
        let description = try WorkerDescription(new, after: kept.workers.first { $0.name == new.name })
        let isThere = named(new.name) != nil
        guard !isThere || kept.workers.contains(where: { $0.name == new.name }) else { throw Self.fixed(new.name) }
        guard isThere || kept.workers.count < SourceText.most else {
            throw SourceFault(.quota, "A hub has \(SourceText.most) added workers at most. Remove one first.")
        }
        // An invalid worker is not stored.
        _ = try parts.maker.worker(description, token: new.token?.text)
        return try await change { next, storage throws(SourceFault) in
            var description = description
            description.tokenFile = try storage.store(token: new.token?.text, of: new.name)
            if let at = next.workers.firstIndex(where: { $0.name == new.name }) {
                next.workers[at] = description
            } else {
                next.workers.append(description)
            }
        } || new.token != nil
    }

    func makeUsual(_ name: String) async throws(SourceFault) -> Bool {
        _ = try changing()
        guard named(name) != nil else { throw missing(name) }
        guard usual?.name != name else { return false }
        return try await change { next, _ in next.usual = name }
    }

    func remove(_ name: String) async throws(SourceFault) -> Bool {
        _ = try changing()
        guard kept.workers.contains(where: { $0.name == name }) else {
            if named(name) != nil { throw Self.fixed(name) }
            return false
        }
        return try await change { next, storage throws(SourceFault) in
            next.workers.removeAll { $0.name == name }
            if next.usual == name { next.usual = nil }
            _ = try storage.store(token: nil, of: name)
        }
    }

    func missing(_ name: String) -> SourceFault {
        let names = all.map { "“\($0.name)”" }.joined(separator: ", ")
        return SourceFault(.notFound, "There is no worker called “\(name)”. There is \(names).")
    }

    private static func fixed(_ name: String) -> SourceFault {
        SourceFault(.invalidState, "The worker “\(name)” is built in or stands in batond.conf. Change it there, and start the hub again.")
    }

    // MARK: Testing

    static let testLimit = Duration.seconds(10)

    func test(_ name: String) async throws(SourceFault) -> WorkerTested {
        guard named(name) != nil else { throw missing(name) }
        ask(name)
        await settled(within: Self.testLimit)
        // It may have been removed meanwhile.
        guard let entry = named(name) else { throw missing(name) }
        guard entry.asking != nil else { return entry.health }
        return WorkerTested(state: .unknown, sentence: "The worker “\(name)” has not answered for 10 seconds.")
    }
}

extension WorkerDescription {
    /// The description for a command. `before` is the worker that had the name. Its map of files is the default for the same
    /// address, since only the hub's own machine may set one.
    fileprivate init(_ new: Commands.WorkerAdd, after before: WorkerDescription?) throws(SourceFault) {
        self.init(new.name, url: new.url)
        program = new.program.map { $0.split(separator: " ").map(String.init) } ?? []
        if new.url == nil, program.first?.hasPrefix("/") != true {
            throw SourceFault(.badRequest, "The program of a worker is the whole path of a file, and its arguments.")
        }
        isConfined = new.isConfined
        guard let map = new.map else {
            if url != nil, url == before?.url { artifactMap = before?.artifactMap }
            return
        }
        guard url != nil else {
            throw SourceFault(.badRequest, "A program writes its files on this machine, so it needs no map. Leave it out.")
        }
        artifactMap = ArtifactMap(map)
        if artifactMap == nil { throw SourceFault(.badRequest, "A map of files is REMOTE:LOCAL, two whole paths.") }
    }
}
