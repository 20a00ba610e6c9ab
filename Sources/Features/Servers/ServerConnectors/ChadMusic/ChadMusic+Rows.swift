/// Converts the server's items to the hub's rows.
import BatonCore
import BatonSeams

extension ChadMusic {
    func row(_ category: ChadCategory) -> ItemRow {
        var tags = Tags(title: category.title)
        tags.kind = .shelf
        return ItemRow(uri: uri(.shelf(category)), tags: tags)
    }

    func row(_ value: ChadValue, in category: ChadCategory) -> ItemRow {
        var tags = Tags(title: value.value)
        tags.kind = category.kind
        return ItemRow(uri: uri(.value(category, value.value)), tags: tags)
    }

    func row(_ album: ChadAlbum) -> ItemRow {
        var tags = Tags(title: album.title, artists: album.artist.isEmpty ? [] : [album.artist], durationMs: album.durationMs)
        tags.kind = .album
        tags.albumArtist = album.artist
        tags.year = album.year
        tags.art = album.cover == nil ? nil : picture(of: album.id)
        return ItemRow(uri: uri(.album(album.id)), tags: tags, count: album.trackCount)
    }

    func row(_ track: ChadTrack, in album: String) -> ItemRow {
        var row = ItemRow(uri: uri(.track(name(of: track, in: album))), tags: tags(track, in: album))
        row.quality = track.place.flatMap(FileName.suffix(of:)).map { SoundQuality(suffix: $0) }
        return row
    }

    func tags(_ track: ChadTrack, in album: String) -> Tags {
        var tags = Tags(title: track.title, artists: track.artist.isEmpty ? [] : [track.artist], durationMs: track.durationMs)
        tags.album = track.album
        tags.track = track.number
        tags.disc = track.disc
        tags.year = track.year
        tags.art = track.cover == nil ? nil : picture(of: album)
        return tags
    }

    func name(of track: ChadTrack, in album: String) -> ChadTrackName {
        var name = ChadTrackName(id: track.id, album: album)
        if let written = track.place, case .own(let path)? = server.place(written, isPath: track.isPath) { name.path = path }
        return name
    }

    /// The artwork, named by the album's id; `nil` if that id is too long.
    private func picture(of album: String) -> Artwork? { ArtworkID(source: source, name: album).map { Artwork(id: $0.text) } }
}
