import BatonCore
import BatonSeams

/// A playlist as it lies in the file. Its entries carry the numbers of their items for their uris.
struct KeptPlaylist {
    var number: Int64
    var name: String
    var list: PlaybackQueue
    var numbers: EntryNumbers
    var durationMs: Int
    var rule: SmartRule?
    var about = ""

    /// Every entry whose row is wanted: those in it, and those an undo may bring back.
    var rows: [EntryID: QueueEntry] {
        var rows: [EntryID: QueueEntry] = [:]
        for entry in list.entries { rows[entry.id] = entry }
        for edit in list.history.edits { for entry in edit.undo?.taken ?? [] { rows[entry.id] = entry } }
        return rows
    }
}

extension QueueEntry {
    /// The number of its item, which an entry of a playlist carries for its uri.
    var item: Int64 { Int64(uri.text) ?? 0 }
}
