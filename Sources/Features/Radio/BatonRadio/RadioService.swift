import BatonCore
import BatonKernel
import BatonProtocol
package import BatonSeams

/// The hub's stations: it publishes the presets, and finds stations by name.
@Loop
package final class RadioService {
    let sources: Sources
    private let work = BackgroundQueue()
    private let publisher: StatePublisher
    private let clock: HubClock
    private let log: Log
    private(set) var shelf: (any StationShelf)?
    let recordings: RecordingService
    let saving: TitleSaving
    /// The last published section, without recordings.
    private var section = RadioSection([], count: 0)
    /// The presets in the published order.
    private var presets: [ItemURI] = []
    /// The daily change of the presets' picture names, so that pictures are loaded again.
    private var daily: (any Alarm)?

    init(sources: Sources, publisher: StatePublisher, clock: HubClock, log: Log) {
        self.sources = sources
        self.publisher = publisher
        self.clock = clock
        self.log = log
        saving = TitleSaving(sources: sources, clock: clock, log: log)
        recordings = RecordingService(saving: saving, sources: sources, clock: clock, log: log)
        recordings.radio = self
    }

    func close() async { await work.finish() }

    package func open(_ shelf: any StationShelf) {
        self.shelf = shelf
        sources.add(shelf)
        showAgain()
    }

    private func present() throws(SourceFault) -> any StationShelf {
        guard let shelf else { throw SourceFault(.unsupported, "This hub was started without a place to keep stations.") }
        return shelf
    }

    // MARK: Asking off the loop

    func look<Answer: Sendable>(
        _ question: @escaping @Sendable (any StationShelf) async throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let shelf = try present()
        return try await sources.limited(Sources.Limit.list) { () async throws(SourceFault) in try await question(shelf) }
    }

    /// Changes stations without a time limit, since the result is the answer to a command. All clients see the change before
    /// the answer.
    func change(_ body: @escaping @Sendable (any StationShelf) throws(SourceFault) -> Bool) async throws(SourceFault) -> Bool {
        let shelf = try present()
        let isNew = try await sources.inBlockingPool { () async throws(SourceFault) in try body(shelf) }
        if isNew { await show() }
        return isNew
    }

    // MARK: Presets

    private func show() async {
        do throws(SourceFault) {
            let (section, uris) = try await look { shelf throws(SourceFault) in
                let stored = try shelf.storage.presets()
                let count = try shelf.storage.stations(StationQuery(window: PageWindow(limit: 0))).total
                let rows = stored.map {
                    RadioSection.Preset(uri: shelf.uri(of: $0), title: $0.station.title, art: shelf.tags(of: $0).art?.id)
                }
                return (RadioSection(rows, count: count), rows.map(\.uri))
            }
            presets = uris
            self.section = section
            daily?.cancel()
            let hasPictures = section.presets.contains { $0.art != nil }
            daily = hasPictures ? clock.after(.seconds(86_400)) { [weak self] in self?.showAgain() } : nil
            showRecordings()
        } catch {
            log(.warning, "The presets cannot be shown: \(error.sentence)")
        }
    }

    private func showAgain() {
        work.add { [weak self] in await self?.show() }
    }

    func showRecordings() {
        section.recorded = recordings.shown
        if section.count == 0, section.recorded.isEmpty { publisher.remove(.radio) } else { publisher.publish(.radio(section)) }
        publisher.tell()
    }

    /// The preset that follows a station; the first one for a station that is no preset. `nil` when there is no other.
    func preset(after station: ItemURI) -> ItemURI? {
        guard let at = presets.firstIndex(of: station) else { return presets.first }
        return presets.count > 1 ? presets[(at + 1) % presets.count] : nil
    }

    /// Makes a station with a star a preset. Other items are ignored.
    func star(_ uri: ItemURI, _ isOn: Bool) async throws(SourceFault) {
        guard let shelf, sources.name(of: uri) == shelf.source else { return }
        _ = try await change { shelf throws(SourceFault) in
            let stored = try shelf.stored(uri)
            guard isOn != (stored.preset != nil) else { return false }
            return try shelf.storage.setPreset(try Self.number(of: stored, in: shelf), at: isOn ? .max : nil)
        }
    }

    /// The number of a station. A new one is stored.
    nonisolated static func number(of stored: StoredStation, in shelf: any StationShelf) throws(SourceFault) -> Int {
        if stored.id > 0 { return stored.id }
        _ = try shelf.storage.add([stored.station], isOwn: false)
        guard let added = try shelf.storage.station(at: stored.station.url) else {
            throw SourceFault(.notFound, "There is no such station.")
        }
        return added.id
    }

    // MARK: Finding

    /// A stored station, here or at a server, and its name. A station of the directory is stored by this.
    func keptStation(_ uri: ItemURI) async throws(SourceFault) -> (ItemURI, title: String) {
        if isAtServer(uri) {
            let row = try await sources.station(uri)
            return (row.uri, row.tags.title)
        }
        let uri = try await item(of: Commands.RadioPlay(uri: uri))
        let stored = try await look { shelf throws(SourceFault) in try shelf.stored(uri) }
        if stored.id > 0 { return (uri, stored.station.title) }
        _ = try await change { shelf throws(SourceFault) in
            _ = try Self.number(of: stored, in: shelf)
            return true
        }
        return try await look { shelf throws(SourceFault) in
            guard let now = try shelf.storage.station(at: stored.station.url) else {
                throw SourceFault(.notFound, "There is no such station.")
            }
            return (shelf.uri(of: now), now.station.title)
        }
    }

    /// The station that the command names, by its item, its place among the presets, or its name.
    func item(of wish: Commands.RadioPlay) async throws(SourceFault) -> ItemURI {
        if let uri = wish.uri {
            guard sources.name(of: uri) == (try present()).source else {
                throw SourceFault(.unsupported, "“\(uri.text)” is no station of this hub.")
            }
            return uri
        }
        return try await look { shelf throws(SourceFault) in
            guard let place = wish.preset else { return try Self.station(named: wish.name ?? "", in: shelf) }
            let presets = try shelf.storage.presets()
            guard presets.indices.contains(place - 1) else {
                let count = presets.isEmpty ? "There are no presets yet." : "There are \(presets.count)."
                throw SourceFault(.notFound, "There is no preset \(place). \(count)")
            }
            return shelf.uri(of: presets[place - 1])
        }
    }

    /// The station with this name; else the preset whose name begins so, and then the first by name.
    private nonisolated static func station(named name: String, in shelf: any StationShelf) throws(SourceFault) -> ItemURI {
        let missing = SourceFault(.notFound, "There is no station called “\(name)”.")
        guard !SearchTerms(name).words.isEmpty else { throw missing }
        let query = StationQuery(name, window: PageWindow(limit: 100))
        let stored = try shelf.storage.stations(query).stations
        let same = stored.first { Folding.fold($0.station.title) == Folding.fold(name) }
        let preset = stored.filter { $0.preset != nil }.min { ($0.preset ?? 0) < ($1.preset ?? 0) }
        if let station = same ?? preset ?? stored.first { return shelf.uri(of: station) }
        let found = try shelf.stations(query).stations
        guard let station = found.first(where: { Folding.fold($0.station.title) == Folding.fold(name) }) ?? found.first else {
            throw missing
        }
        return shelf.uri(of: station)
    }
}
