/// Radio as a source: stations that people keep, with presets first, and a directory of stations that the owner provides.
///
/// The hub reads each station by one connection (`StationStreams`) and removes its metadata. Players see only sound
/// and never contact a station's server.
package import BatonCore
package import BatonSeams

package struct RadioConnector: StationShelf {
    package var source: String { RadioItem.source }
    package var about: SourceAbout {
        SourceAbout(
            name: "Radio", shelves: RadioItem.Shelf.allCases.map { SourceAbout.Shelf(name: $0.rawValue, uri: RadioItem.shelf($0).uri) },
            abilities: [.browse, .search, .pictures, .marks])
    }

    package let storage: any StationStorage
    private let http: any HTTPCalling
    private let playing: StationPlaying
    let clock: Clock
    private static let mostPictureBytes: Int64 = 4 << 20

    package init(
        _ storage: any StationStorage, http: any HTTPCalling, playing: StationPlaying, clock: Clock = .system
    ) {
        self.storage = storage
        self.http = http
        self.playing = playing
        self.clock = clock
    }

    // MARK: Playing

    @concurrent
    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        switch try Self.item(uri) {
        case .shelf(.presets): return try storage.presets().map { entry($0) }
        case .shelf: throw SourceFault(.unsupported, "Choose one of the stations; they are too many for a queue.")
        case .station, .found: return [entry(try stored(uri))]
        }
    }

    @concurrent
    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        let stored = try stored(uri)
        // A person entered the address of a kept station. Addresses in the directory come from elsewhere and may only
        // be public.
        let isNamed = stored.id > 0
        return try await playing.play(
            stored.station.url, title: stored.station.title,
            isNamed ? .named(onThisMachine: stored.isOwn || trust >= .ownMachine) : .publicOnly)
    }

    package func past(of uri: ItemURI) async throws(SourceFault) -> StationWithPast? {
        let station = try stored(uri).station
        return await playing.past(of: station.url).map { StationWithPast(station.title, $0) }
    }

    package func stored(_ uri: ItemURI) throws(SourceFault) -> StoredStation {
        let missing = SourceFault(.notFound, "There is no such station any more.")
        switch try Self.item(uri) {
        case .shelf: throw SourceFault(.unsupported, "This is a shelf and no station.")
        case .station(let id):
            guard let stored = try storage.station(id) else { throw missing }
            return stored
        case .found(let url):
            if let stored = try storage.station(at: url) { return stored }
            guard let station = try storage.directoryStation(at: url) else { throw missing }
            return StoredStation(id: 0, station)
        }
    }

    static func item(_ uri: ItemURI) throws(SourceFault) -> RadioItem {
        guard let item = RadioItem(uri) else { throw SourceFault(.notFound, "“\(uri.text)” names nothing of the radio.") }
        return item
    }

    // MARK: Pictures

    package func picture(_ name: String) async throws(SourceFault) -> PictureSource {
        guard let id = StationPicture.id(of: name), let url = try storage.station(id)?.station.picture else {
            throw SourceFault(.notFound, "This station has no picture.")
        }
        var call = HTTPCall(.get, url, policy: .named(onThisMachine: false))
        call.limits.bodyBytes = Self.mostPictureBytes
        do throws(HTTPCallFault) {
            let answer = try await http.call(call)
            guard answer.status == 200 else { throw HTTPCallFault(.badAnswer, "The server answered with \(answer.status).") }
            return .bytes(try await answer.whole())
        } catch {
            throw SourceFault(.unavailable, "The picture of this station cannot be had: \(error.sentence)")
        }
    }
}
