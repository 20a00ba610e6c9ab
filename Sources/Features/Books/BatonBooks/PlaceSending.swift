import BatonCore
import BatonKernel
import BatonSeams

/// Sends a person's place in an item to the account's server, without losing the places of other devices: the server's value
/// is read just before, and `PlaceDelivery` decides.
///
/// Reads and writes at one source run one after the other, so that the hub never takes its own write for news.
@Loop
final class PlaceSending: PlaceTelling {
    private let sources: Sources
    private var turns: [String: BackgroundQueue] = [:]
    /// The stored facts of sources.
    private let accounts: any AccountMemory
    /// The part that knows the places here.
    weak var serverPlaces: ServerPlaces?

    init(_ sources: Sources, _ accounts: any AccountMemory) {
        self.sources = sources
        self.accounts = accounts
    }

    func send(_ note: ServerPlaceNote, atMs: Milliseconds, to connector: any Connector) async throws(SourceFault) {
        try await inTurn(at: connector.source) { [self] () async throws(SourceFault) in
            guard try await serverPlaces?.isPlace(note.uri, atMs: atMs) ?? true else { return }
            var note = note
            note.place.atMs = atMs
            let parents = parents(of: connector.source)
            let (theirs, parent) = try await read(note.uri, at: connector, parents: parents)
            let delivery = PlaceDelivery(of: note.place, over: theirs, parent: parent)
            // The server's place is stored before it is overwritten, so that a restart in between does not lose it.
            if delivery != .send, theirs != .none {
                try await serverPlaces?.store(theirs, in: note.uri, at: connector.source, isAhead: delivery == .giveWay)
            }
            note.over = theirs
            try await write(note, by: delivery, to: connector, parents: parents)
        }
    }

    private func read(
        _ uri: ItemURI, at connector: any Connector, parents: AgreedPlaces
    ) async throws(SourceFault) -> (theirs: ServerPlace, parent: ServerPlace) {
        try await sources.ask(connector, within: Sources.Limit.item) { connector throws(SourceFault) in
            (try await connector.place(of: uri) ?? .none, parents[uri])
        }
    }

    private func write(
        _ note: ServerPlaceNote, by delivery: PlaceDelivery, to connector: any Connector, parents: AgreedPlaces
    ) async throws(SourceFault) {
        guard delivery != .giveWay else { return await store(note.over ?? .none, of: note.uri, parents) }
        try await sources.ask(connector, within: Sources.Limit.item) { connector throws(SourceFault) in
            try await connector.writeBack(.progress(note), atMs: note.place.atMs ?? 0)
            parents.store(note.place, of: note.uri)
        }
    }

    func hasArrived(_ note: ServerPlaceNote, at source: String) async { await store(note.place, of: note.uri, parents(of: source)) }

    /// Compares the place of an item here (`ours`) with the one at the server, after news from the server. Returns true when the place here
    /// must be sent. Nothing is compared while a note waits for the server, because sending it compares the two.
    func look(
        at uri: ItemURI, news: [ServerPlace], of connector: any Connector,
        unless isWaiting: @escaping @Loop () async throws(SourceFault) -> Bool,
        ours: @escaping @Loop () async throws(SourceFault) -> ServerPlace?
    ) async throws(SourceFault) -> Bool {
        try await inTurn(at: connector.source) { [self] () async throws(SourceFault) -> Bool in
            let parents = parents(of: connector.source)
            let known = try await sources.inBlockingPool { () async throws(SourceFault) in parents[uri] }
            guard news.contains(where: { !$0.isSame(as: known) }), try await !isWaiting() else { return false }
            // The news may be older than this hub's last write.
            let (theirs, parent) = try await read(uri, at: connector, parents: parents)
            let here = try await ours()
            // The server has no news. A different place here means that a hub ended before it stored the note for that place.
            guard !theirs.isSame(as: parent) else { return here.map { !$0.isSame(as: parent) } ?? false }
            let delivery = here.map { PlaceDelivery(of: $0, over: theirs, parent: parent) } ?? .giveWay
            if theirs != .none, delivery != .send {
                try await serverPlaces?.store(theirs, in: uri, at: connector.source, isAhead: delivery == .giveWay)
            }
            await store(theirs, of: uri, parents)
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

    private func store(_ place: ServerPlace, of uri: ItemURI, _ parents: AgreedPlaces) async {
        try? await sources.inBlockingPool { () async throws(SourceFault) in parents.store(place, of: uri) }
    }

    private func parents(of source: String) -> AgreedPlaces { AgreedPlaces(accounts.memory(ofAccount: source)) }
}

/// The place of each item that was last read or written at its server: the parent of the next place. It is stored across
/// restarts.
struct AgreedPlaces: Sendable {
    private let memory: (any SourceMemory)?

    init(_ memory: (any SourceMemory)?) { self.memory = memory }

    subscript(uri: ItemURI) -> ServerPlace {
        guard let text = memory?.value(Self.name(uri)) else { return .none }
        return text == Self.finished ? ServerPlace(positionMs: 0, isFinished: true) : ServerPlace(positionMs: Milliseconds(text) ?? 0)
    }

    func store(_ place: ServerPlace, of uri: ItemURI) {
        let text = place.isFinished ? Self.finished : place.positionMs > 0 ? String(place.positionMs) : nil
        if memory?.value(Self.name(uri)) != text { memory?.store(text, Self.name(uri)) }
    }

    private static func name(_ uri: ItemURI) -> String { "place \(uri.text)" }
    private static let finished = "finished"
}
