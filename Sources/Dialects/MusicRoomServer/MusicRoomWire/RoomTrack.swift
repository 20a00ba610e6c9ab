/// One track in the music room protocol.
package import BatonCore

package struct RoomTrack: Equatable, Sendable {
    package var id: String
    package var filename: String
    package var title: String?
    package var artist: String?
    package var album: String?
    package var durationMs: Milliseconds?
    package var isAvailable: Bool

    package init(
        id: String, filename: String, title: String? = nil, artist: String? = nil, album: String? = nil, durationMs: Milliseconds? = nil,
        isAvailable: Bool = true
    ) {
        self.id = id
        self.filename = filename
        self.title = title
        self.artist = artist
        self.album = album
        self.durationMs = durationMs
        self.isAvailable = isAvailable
    }

    package init(id: String, filename: String, _ tags: Tags, isAvailable: Bool = true) {
        self.init(
            id: id, filename: filename, title: tags.title.isEmpty ? nil : tags.title,
            artist: tags.artists.isEmpty ? nil : tags.artists.joined(separator: ", "), album: tags.album.isEmpty ? nil : tags.album,
            durationMs: tags.durationMs, isAvailable: isAvailable)
    }

    package func write(into text: inout RoomText) {
        text.object { text in
            text.member("id", id)
            text.member("filename", filename)
            text.member("title", orNull: title)
            text.member("artist", orNull: artist)
            text.member("album", orNull: album)
            // Clients need a number, so an endless or unknown duration is 0.
            text.member("duration", seconds: durationMs ?? 0)
            if !isAvailable { text.member("available", false) }
        }
    }
}
