import BatonCore
package import BatonProtocol

/// The JSON form of the answers about playlists and their rows.
extension PlaylistEdited {
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { answer in
            if let atServer { return atServer.encodeMembers(into: &answer, upTo: end) }
            answer.member("id", ifPresent: id?.text)
            answer.member("rev", revision)
            answer.members(added.isEmpty ? nil : added, more: more)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        if fields.has("list") {
            self.init(try AtServer(from: fields))
            return
        }
        self.init(
            id: try fields.text("id").map(PlaylistID.init), revision: try fields.required("rev", fields.count("rev")),
            added: try fields.list("ids", count: 0...Int.max, of: "an entry's id") { $0.string.flatMap(EntryID.init(text:)) } ?? [])
        more = try fields.count("more") ?? 0
    }
}

extension PlaylistEdited.AtServer {
    private static let most = 100

    fileprivate func encodeMembers(into answer: inout JSONWriter, upTo end: Int) {
        answer.member("list", list.text)
        answer.member("n", count)
        if missed > 0 { answer.member("missed", missed) }
        guard !missing.isEmpty else { return }
        _ = answer.member("missing", Array(missing.prefix(Self.most)), upTo: end, atLeast: 1) { item, list in
            list.object {
                $0.member("uri", item.uri.text)
                $0.member("title", $0.shown(item.title, DisplayText(bytes: 256)))
                let artists = item.artists.prefix(16).map { DisplayText(bytes: 256).cut($0) }
                if !artists.isEmpty { $0.member("artists", artists) }
            }
        }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            ItemURI(try fields.required("list", fields.text("list"))), count: try fields.count("n") ?? 0,
            missing: try fields.cappedList("missing") { item throws(ProtocolFault) in
                PlaylistEdited.Missing(
                    uri: ItemURI(try item.required("uri", item.text("uri"))), title: try item.text("title") ?? "",
                    artists: try item.texts("artists") ?? [])
            }.elements, missed: try fields.count("missed") ?? 0)
    }
}

extension PlaylistRow {
    func encodeMembers(into writer: inout JSONWriter) {
        writer.member("id", id.text)
        writer.member("name", writer.shown(name, DisplayText(bytes: 256)))
        writer.member("rev", revision)
        writer.member("n", count)
        writer.member("durMs", durationMs)
        if let rule {
            writer.flag("smart", true)
            writer.name("rule")
            rule.encode(into: &writer)
        }
        writer.member("art", ifPresent: art?.id)
        writer.member("undo", ifPresent: undo)
        if let owner { writer.member("by", writer.shown(owner, DisplayText(bytes: 64))) }
        writer.member("share", ifPresent: sharing?.rawValue)
        if !about.isEmpty { writer.member("about", writer.shown(about, DisplayText(bytes: 1024))) }
    }

    init(from fields: Fields) throws(ProtocolFault) {
        let rule = try fields.fields("rule")
        self.init(
            id: PlaylistID(try fields.required("id", fields.text("id"))), name: try fields.required("name", fields.text("name")),
            revision: try fields.required("rev", fields.count("rev")), count: try fields.count("n") ?? 0,
            durationMs: try fields.count("durMs") ?? 0,
            // An unknown rule of a newer hub cannot be shown.
            rule: rule.flatMap { try? SmartRule(from: $0) }, art: try fields.text("art").map { Artwork(id: $0) },
            undo: try fields.text("undo"))
        owner = try fields.text("by")
        sharing = try fields.text("share").flatMap { PlaylistAccess.Sharing(rawValue: $0) }
        about = try fields.text("about") ?? ""
    }
}
