import BatonCore
package import BatonSeams

/// All connectors, by the word before the colon. Asking one may block for long, so every question
/// leaves the loop.
package struct Sources: Sendable {
    private let connectors: [any Connector]

    package init(_ connectors: [any Connector]) { self.connectors = connectors }

    /// What a queue holds was allowed when it was added, by whoever added it, so the highest trust
    /// is given here; the connector still checks what can have changed since.
    @concurrent
    func resolve(_ uri: ItemURI) async throws(SourceFault) -> Playable {
        try await connector(for: uri).resolve(uri, trust: .anyPath)
    }

    @concurrent
    func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [Offer] {
        try await connector(for: uri).expand(uri, trust: trust)
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
