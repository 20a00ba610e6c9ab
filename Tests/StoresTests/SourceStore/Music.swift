/// A small source to mirror, and shorter ways to ask for its rows.
import BatonCore
import BatonSeams
import Foundation

@testable import Stores

struct Music {
    let shelf = ItemURI("home:shelf/tracks")
    var tracks = [
        Self.track(0, "Airbag", by: "Radiohead", on: "OK Computer"), Self.track(1, "Lucky", by: "Radiohead", on: "OK Computer"),
        Self.track(2, "Air", by: "Talking Heads", on: "Fear of Music"), Self.track(3, "Moon Safari", by: "Air", on: "Moon Safari"),
    ]
    var albums = [Self.album(1, "OK Computer", by: "Radiohead")]
    /// Found by searching only.
    var more: [ItemRow] = []

    var titles: [String] { tracks.map(\.tags.title) }

    /// Shelves, an artist that holds itself and an album, and the tracks.
    var page: MirrorPage {
        let artist = Self.row(.artist, "home:artist/1", "Air")
        var rows = [
            MirrorRow(Self.row(.shelf, "home:shelf/tracks", "Tracks"), in: nil, at: 0),
            MirrorRow(Self.row(.shelf, "home:shelf/albums", "Albums"), in: nil, at: 1),
            MirrorRow(artist, in: artist.uri, at: 0),
        ]
        for (at, album) in albums.enumerated() { rows.append(MirrorRow(album, in: ItemURI("home:shelf/albums"), at: at)) }
        rows.append(MirrorRow(albums[0], in: artist.uri, at: 1))
        for (at, track) in tracks.enumerated() { rows.append(MirrorRow(track, in: shelf, at: at)) }
        for (at, track) in tracks.filter({ $0.tags.album == "OK Computer" }).enumerated() {
            rows.append(MirrorRow(track, in: albums[0].uri, at: at))
        }
        return MirrorPage(rows + more.map { MirrorRow($0, in: nil, at: 0) })
    }

    static func row(_ kind: ItemKind, _ uri: String, _ title: String) -> ItemRow {
        var tags = Tags(title: title)
        tags.kind = kind
        return ItemRow(uri: ItemURI(uri), tags: tags, count: kind.isContainer ? 3 : nil)
    }

    static func track(_ number: Int, _ title: String, by artist: String, on album: String) -> ItemRow {
        var row = row(.track, "home:track/\(number)", title)
        row.tags.artists = [artist]
        row.tags.album = album
        row.tags.track = number
        row.tags.durationMs = 180_000
        row.tags.art = Artwork(id: "home:al-\(number)", width: 300)
        row.mark = ItemMark(isFavourite: number == 1, stars: 3)
        return row
    }

    static func album(_ number: Int, _ title: String, by artist: String) -> ItemRow {
        var row = row(.album, "home:album/\(number)", title)
        row.tags.albumArtist = artist
        return row
    }
}

extension SourceStore {
    /// A whole pass that notes these and nothing else.
    func mirror(_ page: MirrorPage, source: String = "home") throws {
        let pass = try begin(source, atMs: 5)
        try put(page, in: pass)
        try finish(pass, atMs: 7)
    }

    func titles(in node: String, sort: BrowseQuery.Sort? = nil) throws -> [String] {
        try browse("home", BrowseQuery(node: ItemURI(node), sort: sort)).rows.map(\.tags.title)
    }

    func found(_ text: String, _ kinds: [ItemKind] = []) throws -> [String] {
        try search("home", SearchQuery(text, kinds: kinds)).rows.map { "\($0.tags.kind) \($0.tags.title)" }
    }
}
