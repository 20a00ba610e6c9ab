import BatonCore
import BatonSeams

/// Tells a server where its account's person is in an item, so that what other devices of the account left there meanwhile is not lost:
/// the value there is read right before, and `PlaceDelivery` decides.
@Loop
final class PlaceSending {
    private let sources: Sources
    /// Where the facts of a source are kept; `nil` before the accounts are open.
    var memory: @Loop (_ source: String) -> (any SourceMemory)? = { _ in nil }
    /// Another device left this place there. `isAhead` when it counts from now on; otherwise it is a side place.
    var found: @Loop (_ uri: ItemURI, _ place: ServerPlace, _ source: String, _ isAhead: Bool) -> Void = { _, _, _, _ in }

    init(_ sources: Sources) { self.sources = sources }

    func send(_ note: ServerPlaceNote, atMs: Int64, to connector: any Connector) async throws(SourceFault) {
        let parents = parents(of: connector.source)
        let question = try sources.begin(connector, within: Sources.Limit.item) { connector throws(SourceFault) in
            try await Self.tell(note, atMs, connector, parents)
        }
        let (delivery, theirs) = try await sources.answer(to: question, of: connector)
        if delivery != .send, theirs != .none { found(note.uri, theirs, connector.source, delivery == .giveWay) }
    }

    /// Off the loop.
    private nonisolated static func tell(
        _ note: ServerPlaceNote, _ atMs: Int64, _ connector: any Connector, _ parents: ParentPlaces
    ) async throws(SourceFault) -> (PlaceDelivery, ServerPlace) {
        let theirs = try await connector.place(of: note.uri) ?? .none
        var ours = note.place
        ours.atMs = atMs
        let delivery = PlaceDelivery(of: ours, over: theirs, parent: parents[note.uri])
        if delivery != .giveWay {
            var note = note
            note.over = theirs
            try await connector.writeBack(.progress(note), atMs: atMs)
        }
        parents.keep(delivery == .giveWay ? theirs : ours, of: note.uri)
        return (delivery, theirs)
    }

    /// The server has it, although its answer was lost.
    func hasArrived(_ note: ServerPlaceNote, at source: String) async {
        let parents = parents(of: source)
        try? await sources.inBlockingPool { () async throws(SourceFault) in parents.keep(note.place, of: note.uri) }
    }

    /// Whether the server has another place now than this hub knows; from then on it is known.
    func isNew(_ place: ServerPlace, in uri: ItemURI, at source: String) async -> Bool {
        let parents = parents(of: source)
        let isNew = try? await sources.inBlockingPool { () async throws(SourceFault) -> Bool in
            guard !place.isSame(as: parents[uri]) else { return false }
            parents.keep(place, of: uri)
            return true
        }
        return isNew ?? false
    }

    private func parents(of source: String) -> ParentPlaces { ParentPlaces(memory(source)) }
}

/// The place of each item that was read or written at its server last: the parent of what is heard next. It is kept across restarts.
struct ParentPlaces: Sendable {
    private let memory: (any SourceMemory)?

    init(_ memory: (any SourceMemory)?) { self.memory = memory }

    subscript(uri: ItemURI) -> ServerPlace {
        guard let text = memory?.value(Self.name(uri)) else { return .none }
        return text == Self.finished ? ServerPlace(positionMs: 0, isFinished: true) : ServerPlace(positionMs: Int(text) ?? 0)
    }

    func keep(_ place: ServerPlace, of uri: ItemURI) {
        let text = place.isFinished ? Self.finished : place.positionMs > 0 ? String(place.positionMs) : nil
        if memory?.value(Self.name(uri)) != text { memory?.keep(text, Self.name(uri)) }
    }

    private static func name(_ uri: ItemURI) -> String { "place \(uri.text)" }
    private static let finished = "finished"
}
