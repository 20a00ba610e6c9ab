import BatonCore
package import BatonSeams

/// All connectors, by the word before the colon. Asking one may block for long, so every question
/// is put in the workshop, which is made for waiting.
package struct Sources: Sendable {
    private let connectors: [any Connector]
    /// Where connectors run; without one, where Swift sees fit.
    private let workshop: (any TaskExecutor)?

    package init(_ connectors: [any Connector], workshop: (any TaskExecutor)? = nil) {
        self.connectors = connectors
        self.workshop = workshop
    }

    /// What a queue holds was allowed when it was added, by whoever added it, so the highest trust
    /// is given here; the connector still checks what can have changed since.
    @Loop
    func resolve(_ uri: ItemURI) async throws(SourceFault) -> Playable {
        let connector = try connector(for: uri)
        return try await inWorkshop { () async throws(SourceFault) in try await connector.resolve(uri, trust: .anyPath) }
    }

    @Loop
    func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        let connector = try connector(for: uri)
        return try await inWorkshop { () async throws(SourceFault) in try await connector.expand(uri, trust: trust) }
    }

    @Loop
    private func inWorkshop<Answer: Sendable>(
        _ ask: @Sendable () async throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        try await withTaskExecutorPreference(workshop) { () async throws(SourceFault) in try await ask() }
    }

    private func connector(for uri: ItemURI) throws(SourceFault) -> any Connector {
        // A bare path has no source before a colon; it belongs to the files of this machine.
        let source = uri.text.hasPrefix("/") ? "file" : uri.source == "https" ? "http" : uri.source
        guard let found = connectors.first(where: { $0.source == source }) else {
            throw SourceFault(.notFound, "This hub has no source called “\(source)”.")
        }
        return found
    }
}
