import BatonCore
import BatonKernel
import BatonSeams

/// Tells a server where its account's person is in an item, so that what other devices of the account left there meanwhile is not lost:
/// the value there is read right before, and `PlaceDelivery` decides.
///
/// What is read and written at one source goes one after the other, so that the hub never takes what it wrote itself for news.
@Loop
final class PlaceSending: PlaceTelling {
    private let sources: Sources
    private var turns: [String: BackgroundQueue] = [:]
    /// The accounts keep the facts of a source.
    private let accounts: any AccountMemory
    /// The part that knows the places here.
    weak var serverPlaces: ServerPlaces?

    init(_ sources: Sources, _ accounts: any AccountMemory) {
        self.sources = sources
        self.accounts = accounts
    }

    package func send(_ note: ServerPlaceNote, atMs: Int64, to connector: any Connector) async throws(SourceFault) {
        try await inTurn(at: connector.source) { [self] () async throws(SourceFault) in
            guard try await serverPlaces?.isPlace(note.uri, atMs: atMs) ?? true else { return }
            var note = note
            note.place.atMs = atMs
            let parents = parents(of: connector.source)
            let (theirs, parent) = try await read(note.uri, connector, parents)
            let delivery = PlaceDelivery(of: note.place, over: theirs, parent: parent)
            // Before it is written over, since a hub that ends in between must not lose it.
            if delivery != .send, theirs != .none {
                try await serverPlaces?.keep(theirs, in: note.uri, at: connector.source, isAhead: delivery == .giveWay)
            }
            note.over = theirs
            try await write(note, delivery, connector, parents)
        }
    }

    private func read(
        _ uri: ItemURI, _ connector: any Connector, _ parents: ParentPlaces
    ) async throws(SourceFault) -> (theirs: ServerPlace, parent: ServerPlace) {
        try await sources.ask(connector, within: Sources.Limit.item) { connector throws(SourceFault) in
            (try await connector.place(of: uri) ?? .none, parents[uri])
        }
    }

    private func write(
        _ note: ServerPlaceNote, _ delivery: PlaceDelivery, _ connector: any Connector, _ parents: ParentPlaces
    ) async throws(SourceFault) {
        guard delivery != .giveWay else { return await keep(note.over ?? .none, of: note.uri, parents) }
        try await sources.ask(connector, within: Sources.Limit.item) { connector throws(SourceFault) in
            try await connector.writeBack(.progress(note), atMs: note.place.atMs ?? 0)
            parents.keep(note.place, of: note.uri)
        }
    }

    /// The server has it, although its answer was lost.
    func hasArrived(_ note: ServerPlaceNote, at source: String) async { await keep(note.place, of: note.uri, parents(of: source)) }

    /// The server may have another place than this hub knows, if one of these is another one: what it said, and the place here. `ours` is the place here; a note that still
    /// waits for the server decides later. True when the server has to be told of ours.
    package func look(
        at uri: ItemURI, news: [ServerPlace], of connector: any Connector,
        unless isWaiting: @escaping @Loop () async throws(SourceFault) -> Bool,
        ours: @escaping @Loop () async throws(SourceFault) -> ServerPlace?
    ) async throws(SourceFault) -> Bool {
        try await inTurn(at: connector.source) { [self] () async throws(SourceFault) -> Bool in
            let parents = parents(of: connector.source)
            let known = try await sources.inBlockingPool { () async throws(SourceFault) in parents[uri] }
            guard news.contains(where: { !$0.isSame(as: known) }), try await !isWaiting() else { return false }
            // The news may be of before what this hub wrote since.
            let (theirs, parent) = try await read(uri, connector, parents)
            let here = try await ours()
            // A hub that ended after it had kept a place, and before it had noted what to tell.
            guard !theirs.isSame(as: parent) else { return here.map { !$0.isSame(as: parent) } ?? false }
            let delivery = here.map { PlaceDelivery(of: $0, over: theirs, parent: parent) } ?? .giveWay
            if theirs != .none, delivery != .send {
                try await serverPlaces?.keep(theirs, in: uri, at: connector.source, isAhead: delivery == .giveWay)
            }
            await keep(theirs, of: uri, parents)
            return theirs != .none && delivery == .sendOver
        }
    }

    private func inTurn<Found: Sendable>(
        at source: String, _ work: @escaping @Loop () async throws(SourceFault) -> Found
    ) async throws(SourceFault) -> Found {
        let queue = turns[source] ?? BackgroundQueue()
        turns[source] = queue
        return try await queue.inTurn(work)
    }

    private func keep(_ place: ServerPlace, of uri: ItemURI, _ parents: ParentPlaces) async {
        try? await sources.inBlockingPool { () async throws(SourceFault) in parents.keep(place, of: uri) }
    }

    private func parents(of source: String) -> ParentPlaces { ParentPlaces(accounts.memory(ofAccount: source)) }
}

/// The place of each item that was read or written at its server last: the parent of what is heard next. It is kept across restarts.
struct ParentPlaces: Sendable {
    private let memory: (any SourceMemory)?

    init(_ memory: (any SourceMemory)?) { self.memory = memory }

    package subscript(uri: ItemURI) -> ServerPlace {
        guard let text = memory?.value(Self.name(uri)) else { return .none }
        return text == Self.finished ? ServerPlace(positionMs: 0, isFinished: true) : ServerPlace(positionMs: Int(text) ?? 0)
    }

    package func keep(_ place: ServerPlace, of uri: ItemURI) {
        let text = place.isFinished ? Self.finished : place.positionMs > 0 ? String(place.positionMs) : nil
        if memory?.value(Self.name(uri)) != text { memory?.keep(text, Self.name(uri)) }
    }

    private static func name(_ uri: ItemURI) -> String { "place \(uri.text)" }
    private static let finished = "finished"
}
