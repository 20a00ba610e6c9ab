/// Signals about a changed window of the queue: one for each row where they are few, else one for the whole list.
import BatonCore
import BatonProtocol
import BatonSeams

struct TrackListNews: Equatable {
    struct Signal: Equatable {
        var name: String
        var arguments: [BusValue]
    }

    private(set) var signals: [Signal] = []
    /// True when the list itself differs, so that programs read it again.
    private(set) var isChanged = false

    /// More than these are told as a new list.
    private static let most = 8

    init(from old: PlayerView, to new: PlayerView) {
        let (before, after) = (old.tracks.map(\.entry), new.tracks.map(\.entry))
        if before != after {
            isChanged = true
            signals = steps(from: before, to: after, in: new) ?? [Self.whole(after, new)]
        }
        let known = Dictionary(old.tracks.map { ($0.entry, old.metadata(of: $0)) }) { first, _ in first }
        for row in new.tracks {
            let facts = new.metadata(of: row)
            guard let earlier = known[row.entry], earlier != facts else { continue }
            signals.append(Signal(name: "TrackMetadataChanged", arguments: [.path(PlayerNames.path(of: row.entry)), .table(facts)]))
        }
    }

    private static func whole(_ entries: [EntryID], _ view: PlayerView) -> Signal {
        let current = view.entry.map { PlayerNames.path(of: $0) } ?? PlayerNames.noTrack
        return Signal(name: "TrackListReplaced", arguments: [.paths(entries.map { PlayerNames.path(of: $0) }), .path(current)])
    }

    /// Removed and added rows; `nil` where others have moved, or where there are many.
    private func steps(from before: [EntryID], to after: [EntryID], in view: PlayerView) -> [Signal]? {
        let (had, has) = (Set(before), Set(after))
        let gone = before.filter { !has.contains($0) }
        let come = after.filter { !had.contains($0) }
        guard gone.count + come.count <= Self.most, before.filter(has.contains) == after.filter(had.contains) else { return nil }
        var signals = gone.map { Signal(name: "TrackRemoved", arguments: [.path(PlayerNames.path(of: $0))]) }
        for (index, row) in view.tracks.enumerated() where !had.contains(row.entry) {
            let behind = index == 0 ? PlayerNames.noTrack : PlayerNames.path(of: view.tracks[index - 1].entry)
            signals.append(Signal(name: "TrackAdded", arguments: [.table(view.metadata(of: row)), .path(behind)]))
        }
        return signals
    }
}
