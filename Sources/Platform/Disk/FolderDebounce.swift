import BatonCore
import BatonSeams

/// Decides which folders have been quiet long enough to be scanned.
///
/// A value; time is an argument. Each change restarts the wait of a folder, so that an album being copied is scanned once and complete. A
/// folder that is never quiet is scanned from time to time anyway, and once more when it is quiet, since unfinished files were skipped
/// before.
struct FolderDebounce: Equatable {
    /// Wait after a change: not noticeable for people, and longer than the gaps between two files of a copying program.
    static let waitMs: Milliseconds = 1_000
    static let longestMs: Milliseconds = 15_000

    private struct Waiting: Equatable {
        var event: FolderEvent
        var firstMs: Milliseconds
        var lastMs: Milliseconds

        var dueMs: Milliseconds { min(lastMs + FolderDebounce.waitMs, firstMs + FolderDebounce.longestMs) }
    }

    private var waiting: [String: Waiting] = [:]

    mutating func note(_ event: FolderEvent, atMs: Milliseconds) {
        guard let path = event.path else { return }
        guard var known = waiting[path] else {
            waiting[path] = Waiting(event: event, firstMs: atMs, lastMs: atMs)
            return
        }
        known.lastMs = atMs
        // An added folder is scanned as a whole, whatever happened in it since. A folder that was removed and added again counts as added.
        if case .changed = event {} else { known.event = event }
        waiting[path] = known
    }

    /// Time of the next due event.
    var nextMs: Milliseconds? { waiting.values.map(\.dueMs).min() }

    /// The due events. Removals come first, since a removed path may have been added again under another name.
    mutating func take(atMs: Milliseconds) -> [FolderEvent] {
        let due = waiting.filter { $0.value.dueMs <= atMs }
        for (path, was) in due {
            if was.lastMs + Self.waitMs <= atMs {
                waiting[path] = nil
            } else {
                waiting[path] = Waiting(event: .changed(path), firstMs: atMs, lastMs: was.lastMs)
            }
        }
        return due.sorted { $0.key < $1.key }.map(\.value.event).sorted { $0.order < $1.order }
    }
}

extension FolderEvent {
    var path: String? {
        switch self {
        case .changed(let path), .came(let path), .gone(let path): path
        case .overflow: nil
        }
    }

    fileprivate var order: Int {
        switch self {
        case .gone: 0
        case .came: 1
        case .changed, .overflow: 2
        }
    }
}
