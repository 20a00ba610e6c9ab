package import BatonCore
package import BatonSeams

/// A source whose answers come from another machine: a server that is asked over HTTP for one row a line. It does what a
/// connector for a music server does, through the same `HTTPClient`, and nothing that costs time by itself.
package struct RemoteSource: Connector {
    package let source: String
    /// Ends in a slash.
    private let address: String
    private let http: any HTTPCalling
    private let policy: AddressPolicy

    /// `place` is a host and a port.
    package init(_ source: String, at place: String, http: any HTTPCalling) {
        self.source = source
        self.http = http
        let parts = place.split(separator: ":")
        address = "http://\(place)/"
        policy = .server(String(parts.first ?? ""), port: parts.last.flatMap { Int($0) } ?? 80)
    }

    package var about: SourceAbout { SourceAbout(name: "Server \(source)", abilities: [.search]) }

    package func check() async throws(SourceFault) { _ = try await lines() }

    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        ItemPage(
            try await lines().prefix(query.window.limit).map { line in
                ItemRow(uri: ItemURI("\(source):track/\(line)"), tags: Tags(title: String(line)))
            })
    }

    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        [NewEntry(uri: uri, tags: Tags(title: uri.text))]
    }

    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        throw SourceFault(.unsupported, "This source is measured and plays nothing.")
    }

    private func lines() async throws(SourceFault) -> [Substring] {
        do throws(HTTPCallFault) {
            let answer = try await http.call(HTTPCall(.get, address, policy: policy))
            return String(decoding: try await answer.whole(), as: UTF8.self).split(separator: "\n")
        } catch {
            throw error.asSourceFault
        }
    }
}
