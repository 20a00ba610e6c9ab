/// Ids of tracks in the music room protocol, for items of every source.
///
/// A library track has the id of its content once that is known. Every other item has an id computed from its URI. Such ids are remembered
/// when they are sent, since the URI cannot be computed from them.
import BatonCore
import BatonSeams

@Loop
final class TrackNames {
    private let naming: () -> (any ContentNaming)?
    private let sha256: @Sendable ([UInt8]) -> [UInt8]
    private let blockingPool: any TaskExecutor
    private var known: [ItemURI: TrackName] = [:]
    private var shown: [ContentID: ItemURI] = [:]
    private static let most = 50_000

    init(
        naming: @escaping @Loop () -> (any ContentNaming)?, sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        blockingPool: any TaskExecutor
    ) {
        self.naming = naming
        self.sha256 = sha256
        self.blockingPool = blockingPool
    }

    var count: Int { known.count + shown.count }

    /// Drops the library's ids, which may be out of date.
    func forgetLibrary() { known = [:] }

    /// The name of each item. Without a library file, the end of its URI serves as the file name.
    func names(of uris: [ItemURI]) async -> [ItemURI: TrackName] {
        let missing = Set(uris).filter { known[$0] == nil }
        if !missing.isEmpty, let naming = naming() {
            let found = await withTaskExecutorPreference(blockingPool) { await Self.ask(naming, Array(missing)) }
            if known.count + found.count > Self.most { known = [:] }
            known.merge(found) { $1 }
        }
        var names: [ItemURI: TrackName] = [:]
        for uri in uris where names[uri] == nil { names[uri] = known[uri] ?? shownName(of: uri) }
        return names
    }

    private nonisolated static func ask(_ naming: any ContentNaming, _ uris: [ItemURI]) async -> [ItemURI: TrackName] {
        (try? naming.trackNames(of: uris)) ?? [:]
    }

    private func shownName(of uri: ItemURI) -> TrackName {
        let id = ContentID(hash: sha256(Array("baton item \(uri.text)".utf8)))
        if shown.count >= Self.most { shown = [:] }
        shown[id] = uri
        let tail = uri.text.split(separator: "/").last.flatMap { PercentText.decoded($0) }
        return TrackName(id: id, file: tail ?? uri.text)
    }

    /// The item behind an id, and whether the hub has sent that id itself.
    func uri(of text: String) async throws(RoomRefusal) -> (uri: ItemURI, wasShown: Bool) {
        guard let id = ContentID(text: text) else { throw RoomRefusal(400, "“\(text.prefix(80))” is no id of a track.") }
        if let uri = shown[id] { return (uri, true) }
        guard let naming = naming() else { throw Self.unknown }
        let found = await withTaskExecutorPreference(blockingPool) { await Self.find(naming, id) }
        switch found {
        case .success(let uri?): return (uri, false)
        case .success(nil): throw Self.unknown
        case .failure(let fault): throw RoomRefusal(fault)
        }
    }

    /// The items behind several ids, in their order.
    func uris(of texts: [String]) async throws(RoomRefusal) -> [ItemURI] {
        var uris: [ItemURI] = []
        for text in texts { uris.append(try await uri(of: text).uri) }
        return uris
    }

    private nonisolated static func find(_ naming: any ContentNaming, _ id: ContentID) async -> Result<ItemURI?, SourceFault> {
        Result { () throws(SourceFault) in try naming.track(named: id) }
    }

    private static var unknown: RoomRefusal { RoomRefusal(404, "There is no track with this id here.") }
}
