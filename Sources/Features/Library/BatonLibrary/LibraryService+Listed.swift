package import BatonCore
package import BatonKernel
package import BatonSeams

/// The items that people have marked or added to playlists.
extension LibraryService {
    package func marked(_ items: [ItemURI]) async throws(SourceFault) -> MarkedItems {
        var marked = try await markedOfHub(items)
        guard persons != nil else { return marked }
        // Marks of every user count, without their names.
        for item in try await lookAtPersons({ persons throws(SourceFault) in try persons.markedByAny(items) }) {
            marked.marks[item, default: ItemMark()].isFavourite = true
        }
        return marked
    }

    private func markedOfHub(_ items: [ItemURI]) async throws(SourceFault) -> MarkedItems {
        try await look { userMarks throws(SourceFault) in
            var found = MarkedItems(marks: try userMarks.marks(of: items))
            let wanted = Set(items)
            var from = 0
            while true {
                let rows = try userMarks.playlists(PageWindow(from: from, limit: 100))
                for row in rows where row.rule == nil {
                    for entry in try userMarks.expandPlaylist(row.id) where wanted.contains(entry.uri) { found.listed.insert(entry.uri) }
                }
                from += rows.count
                if rows.count < 100 { return found }
            }
        }
    }
}
