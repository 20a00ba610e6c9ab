import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Stations at servers: creating, changing and removing them.
extension RadioService {
    /// Time limit for a change. It is longer than for a question, since a change is not repeated.
    private static let serverLimit: Duration = .seconds(60)
    private static let shelfName = "stations"

    /// Makes a change at a server. `nil` for a change in the hub's own stations; false when nothing changed.
    func changeAtServer(_ wish: Commands.RadioChange) async throws(SourceFault) -> Bool? {
        if let stations = wish.add, let source = wish.source { return try await add(stations, at: source) }
        if let uri = wish.remove, isAtServer(uri) {
            try await change(uri, [.delete])
            return true
        }
        guard let uri = wish.change, isAtServer(uri) else { return nil }
        let (title, url) = (wish.title, wish.url)
        if let url, WebAddress(url) == nil { throw SourceFault(.badRequest, "“\(url)” is no http or https address.") }
        try await change(uri, (title.map { [.rename($0)] } ?? []) + (url.map { [.insert([ItemURI($0)], at: 0)] } ?? []))
        return true
    }

    func isAtServer(_ uri: ItemURI) -> Bool { sources.remoteNames.contains(sources.name(of: uri)) }

    private func add(_ stations: [Station], at source: String) async throws(SourceFault) -> Bool {
        let server = try await editor(source)
        guard let shelf = server.about.shelves.first(where: { $0.name == Self.shelfName }) else { throw cannot(server) }
        for station in stations {
            let edit = SourceListEdit(list: shelf.uri, [.create(name: station.title), .insert([ItemURI(station.url)], at: 0)])
            _ = try await make(edit, at: server)
        }
        return true
    }

    /// Changes an item, which must be a station: the same edit would delete a playlist.
    private func change(_ uri: ItemURI, _ changes: [SourceListEdit.Change]) async throws(SourceFault) {
        let server = try await editor(sources.name(of: uri))
        _ = try await sources.station(uri)
        _ = try await make(SourceListEdit(list: uri, changes), at: server)
    }

    private func make(_ edit: SourceListEdit, at server: any Connector) async throws(SourceFault) -> ItemURI {
        try await sources.ask(server, within: Self.serverLimit) { server throws(SourceFault) in try await server.edit(edit) }
    }

    private func editor(_ source: String) async throws(SourceFault) -> any Connector {
        let server = try await sources.connector(named: source)
        guard server.about.abilities.contains(.lists) else { throw cannot(server) }
        return server
    }

    private func cannot(_ server: any Connector) -> SourceFault {
        SourceFault(.unsupported, "The source “\(server.about.name)” keeps no stations that can be edited.")
    }
}
