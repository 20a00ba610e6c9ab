import BatonCore
import BatonSeams

/// A stored playlist. Its entries have the numbers of their items instead of URIs.
struct StoredPlaylist {
    var number: Int64
    var name: String
    var list: PlaybackQueue
    var numbers: EntryNumbers
    var durationMs: Milliseconds
    var rule: SmartRule?
    var about = ""

    /// Every entry whose row is needed: current ones, and those that an undo may restore.
    var rows: [EntryID: QueueEntry] {
        var rows: [EntryID: QueueEntry] = [:]
        for entry in list.entries { rows[entry.id] = entry }
        for edit in list.history.edits { for entry in edit.undo?.taken ?? [] { rows[entry.id] = entry } }
        return rows
    }
}

extension QueueEntry {
    /// The number of its item, which an entry of a playlist has instead of a URI.
    var item: Int64 { Int64(uri.text) ?? 0 }
}
