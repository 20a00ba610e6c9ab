/// The current state of a playlist on the server, and the result of changes to it. A value.
import BatonCore
import BatonSeams

struct ListState: Equatable, Sendable {
    var name: String
    var comment: String
    var isPublic: Bool
    var songs: [String]
    /// The index of each song among all entries of the list, which may include other items.
    private var places: [Int]

    init(_ record: SubsonicRecord) {
        name = record.text("name") ?? ""
        comment = record.text("comment") ?? ""
        isPublic = record.flag("public")
        let entries = record.list("entry").enumerated().filter { !$0.element.flag("isDir") && !$0.element.flag("isVideo") }
        songs = entries.compactMap { $0.element.text("id") }
        places = entries.compactMap { $0.element.text("id") == nil ? nil : $0.offset }
    }

    /// A text that changes with everything that an edit could overwrite. Not all servers send the time of a list's
    /// last change.
    var version: String {
        let parts = [name, comment, isPublic ? "1" : "0"] + songs
        return String(StableHash.of(parts.map { "\($0.utf8.count):\($0)" }.joined()), radix: 16)
    }

    func place(_ song: Int) -> Int { places[song] }

    /// The songs after a change; `nil` if the change does not concern them.
    func songs(after change: SourceListEdit.Change, _ id: (ItemURI) throws(SourceFault) -> String) throws(SourceFault) -> [String]? {
        var after = songs
        switch change {
        case .create, .rename, .describe, .setPublic, .delete: return nil
        case .insert(let items, let place):
            var ids: [String] = []
            for item in items { ids.append(try id(item)) }
            after.insert(contentsOf: ids, at: min(max(0, place), after.count))
        case .remove(let gone):
            let gone = Set(gone)
            guard gone.allSatisfy({ after.indices.contains($0) }) else { throw Self.wrongPlace }
            after = after.indices.filter { !gone.contains($0) }.map { after[$0] }
        case .move(let from, let to):
            guard after.indices.contains(from) else { throw Self.wrongPlace }
            let song = after.remove(at: from)
            after.insert(song, at: min(max(0, to), after.count))
        }
        return after
    }

    static let wrongPlace = SourceFault(.badRequest, "The playlist has no entry at this place.")
}
