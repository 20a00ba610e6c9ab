package import BatonCore
import BatonJSON

extension PlaylistEdited {
    /// Names at most as many new entries as a list on the wire may contain, and counts the others.
    package init(id: PlaylistID? = nil, revision: Int, entries: [EntryID]) {
        let added = Array(entries.prefix(JSONLimits.standard.elements))
        self.init(id: id, revision: revision, added: added, more: entries.count - added.count)
    }
}
