/// Caches answers of the server for a minute, so that a list and the pictures and plays after it do not repeat requests.
///
/// Limited in number and kept in memory only.
import BatonCore
import BatonSeams

actor ChadMemory {
    private let clock: Clock
    private var albums = Recent<ChadAlbum>(most: 1000)
    private var tracks = Recent<[ChadTrack]>(most: 64)
    private var matches = Recent<[ChadAlbum]>(most: 8)
    private var categories = Recent<[ChadCategory]>(most: 1)
    private static let goodUs: Microseconds = 60_000_000

    init(_ clock: Clock) { self.clock = clock }

    /// The album, however old its row: titles and pictures rarely change.
    func album(_ id: String) -> ChadAlbum? { albums[id]?.value }

    func store(_ new: [ChadAlbum]) {
        for album in new { albums.store(album, album.id, atUs: clock.nowUs) }
    }

    func tracks(of album: String) -> [ChadTrack]? { fresh(tracks[album]) }

    func store(_ list: [ChadTrack], of album: String) { tracks.store(list, album, atUs: clock.nowUs) }

    func forgetTracks(of album: String) { tracks.forget(album) }

    /// The albums with a value of a category, found by a search through all albums.
    func matches(_ value: String, in category: ChadCategory) -> [ChadAlbum]? { fresh(matches["\(category)/\(value)"]) }

    func store(_ found: [ChadAlbum], of value: String, in category: ChadCategory) {
        matches.store(found, "\(category)/\(value)", atUs: clock.nowUs)
    }

    func shelves() -> [ChadCategory]? { fresh(categories[""]) }

    func store(_ shelves: [ChadCategory]) { categories.store(shelves, "", atUs: clock.nowUs) }

    private func fresh<Value>(_ kept: (value: Value, atUs: Microseconds)?) -> Value? {
        kept.flatMap { clock.nowUs - $0.atUs < Self.goodUs ? $0.value : nil }
    }
}

/// The latest values, at least half of the limit.
private struct Recent<Value: Sendable>: Sendable {
    let most: Int
    private var young: [String: (value: Value, atUs: Microseconds)] = [:]
    private var old: [String: (value: Value, atUs: Microseconds)] = [:]

    init(most: Int) { self.most = most }

    subscript(name: String) -> (value: Value, atUs: Microseconds)? { young[name] ?? old[name] }

    mutating func forget(_ name: String) {
        young[name] = nil
        old[name] = nil
    }

    mutating func store(_ value: Value, _ name: String, atUs: Microseconds) {
        young[name] = (value, atUs)
        guard young.count >= max(1, most / 2) else { return }
        old = young
        young = [:]
    }
}
