import BatonCore
package import BatonProtocol

/// How `NowSection` and what belongs to it are written as JSON and read from it.
extension NowSection {
    /// Texts are cut only as far as the limit of the section requires.
    package func encode(into writer: inout JSONWriter) {
        let start = writer.count
        for budget in [256, 128, 32] {
            writer.truncate(to: start)
            encode(into: &writer, textBytes: budget)
            if writer.count - start <= min(Section.now.cap, writer.bounds.message) { return }
        }
    }

    private static let longestURI = 1024

    private func encode(into writer: inout JSONWriter, textBytes: Int) {
        writer.object { now in
            now.member("entry", entry.text)
            if let uri, uri.text.utf8.count <= min(Self.longestURI, now.bounds.text) { now.member("uri", uri.text) }
            tags.encodeMembers(into: &now, textBytes: textBytes)
            if tags.isLive { now.member("live", true) }
            if let art = tags.art { now.member("art", object: art.encodeMembers) }
            if let format, !now.bounds.isTerse { now.member("fmt", object: format.encodeMembers) }
            now.member("sinceUs", ifPresent: sinceUs)
            if let elsewhere, !now.bounds.isMinimal { now.member("elsewhere", object: elsewhere.encodeMembers) }
        }
    }
}

extension Tags {
    private static let mostArtists = 4

    /// Empty texts are left out, since they mean that the value is not known yet.
    func encodeMembers(into writer: inout JSONWriter, textBytes: Int) {
        let limit = DisplayText(bytes: textBytes)
        func text(_ name: StaticString, _ value: String, into writer: inout JSONWriter) {
            if !value.isEmpty { writer.member(name, writer.shown(value, limit)) }
        }
        writer.member("kind", kind.rawValue)
        text("title", title, into: &writer)
        let artists = artists.prefix(writer.bounds.isMinimal ? 0 : writer.bounds.isTerse ? 1 : Self.mostArtists)
        if !artists.isEmpty {
            writer.member("artists", array: { list in for artist in artists { list.string(list.shown(artist, limit)) } })
        }
        if !writer.bounds.isMinimal { text("album", album, into: &writer) }
        if !writer.bounds.isTerse {
            text("albumArtist", albumArtist, into: &writer)
            writer.member("track", ifPresent: track)
            writer.member("disc", ifPresent: disc)
            writer.member("year", ifPresent: year)
        }
        writer.member("durMs", ifPresent: durationMs)
        if let streamTitle { text("streamTitle", streamTitle, into: &writer) }
    }

    /// An unknown kind of a newer hub is read as a track.
    init(from fields: Fields) throws(ProtocolFault) {
        self.init()
        kind = try fields.text("kind").flatMap(ItemKind.init(rawValue:)) ?? .track
        title = try fields.text("title") ?? ""
        artists = try fields.texts("artists") ?? []
        album = try fields.text("album") ?? ""
        albumArtist = try fields.text("albumArtist") ?? ""
        track = try fields.count("track")
        disc = try fields.count("disc")
        year = try fields.count("year")
        durationMs = try fields.count("durMs").map { Milliseconds($0) }
        streamTitle = try fields.text("streamTitle")
        if let id = fields.object["art"]?.string {
            art = Artwork(id: id)
        } else {
            art = try fields.fields("art").map(Artwork.init(from:))
        }
    }
}

extension Artwork {
    func encodeMembers(into writer: inout JSONWriter) {
        writer.member("id", id)
        guard !writer.bounds.isTerse else { return }
        writer.member("w", ifPresent: width)
        writer.member("h", ifPresent: height)
        if !colours.isEmpty { writer.member("colours", colours.map(Self.text)) }
    }

    private static func colour(_ text: String) -> Int? {
        text.hasPrefix("#") && text.utf8.count == 7 ? Int(text.dropFirst(), radix: 16) : nil
    }

    init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            id: try fields.required("id", fields.text("id")), width: try fields.count("w"), height: try fields.count("h"),
            colours: try fields.list("colours", count: 0...2, of: "a colour") { colour in colour.string.flatMap(Self.colour) } ?? [])
    }
}
