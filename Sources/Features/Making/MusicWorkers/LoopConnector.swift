/// Sessions of clips as a source: `loop:…` plays the current scene of a session, read anew for each round.
package import BatonCore
package import BatonSeams

package struct LoopConnector: Connector {
    package var source: String { ClipSession.scheme }
    package var about: SourceAbout { SourceAbout(name: "Sessions") }
    private let storage: any JobStorage

    package init(_ storage: any JobStorage) { self.storage = storage }

    @concurrent
    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        [NewEntry(uri: uri, tags: try session(uri).tags)]
    }

    @concurrent
    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        let session = try session(uri)
        guard session.scenes[session.current].durationMs != nil else {
            throw SourceFault(.unavailable, "“\(session.title)” has no clip that is made. Add one: baton clips add rhythm.")
        }
        return Playable(.file(try storage.file(LoopOrder.sound, of: session.folder(session.current))))
    }

    @concurrent
    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        let session = try session(uri)
        var details = ItemDetails(row: ItemRow(uri: uri, tags: session.tags))
        details.about = session.prompt
        return details
    }

    @concurrent
    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage { ItemPage() }

    @concurrent
    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage { ItemPage() }

    private func session(_ uri: ItemURI) throws(SourceFault) -> ClipSession {
        let id = String(uri.text.dropFirst(ClipSession.scheme.count + 1))
        guard let session = try storage.plans(.session)[id].flatMap(ClipSession.init(text:)) else {
            throw SourceFault(.notFound, "This hub has no session “\(id)”.")
        }
        return session
    }
}
