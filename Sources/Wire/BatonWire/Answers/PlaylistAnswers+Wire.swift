import BatonCore
package import BatonProtocol

/// The JSON form of the answers about playlists and their rows.
extension PlaylistEdited {
    private static let mostMissing = 100

    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { answer in
            guard let list else {
                answer.member("id", ifPresent: id?.text)
                answer.member("rev", revision)
                return answer.members(added.isEmpty ? nil : added, more: more)
            }
            answer.member("list", list.text)
            answer.member("n", count)
            if missed > 0 { answer.member("missed", missed) }
            guard !missing.isEmpty else { return }
            _ = answer.member("missing", missing.prefix(Self.mostMissing), upTo: end, atLeast: 1) { $1.object($0.encodeMembers) }
        }
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
            durationMs: Milliseconds(try fields.count("durMs") ?? 0),
            // An unknown rule of a newer hub cannot be shown.
            rule: rule.flatMap { try? SmartRule(from: $0) }, art: try fields.text("art").map { Artwork(id: $0) },
            undo: try fields.text("undo"))
        owner = try fields.text("by")
        sharing = try fields.text("share").flatMap { PlaylistAccess.Sharing(rawValue: $0) }
        about = try fields.text("about") ?? ""
    }
}
