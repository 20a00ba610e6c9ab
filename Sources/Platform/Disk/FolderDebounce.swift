import BatonSeams

/// Which folders have been quiet for long enough to be looked at.
///
/// A value; time is an argument. Each change makes a folder wait anew, so that an album being copied is
/// looked at once and whole. A folder that is never quiet is looked at now and then all the same, and once
/// more when it is: what was still being written the first time was left alone then.
struct FolderDebounce: Equatable {
    /// As long as a person takes to notice, and longer than a copying program breathes between two files.
    static let waitMs: Int64 = 1_000
    static let longestMs: Int64 = 15_000

    private struct Waiting: Equatable {
        var event: FolderEvent
        var firstMs: Int64
        var lastMs: Int64

        var dueMs: Int64 { min(lastMs + FolderDebounce.waitMs, firstMs + FolderDebounce.longestMs) }
    }

    private var waiting: [String: Waiting] = [:]

    mutating func note(_ event: FolderEvent, atMs: Int64) {
        guard let path = event.path else { return }
        guard var known = waiting[path] else {
            waiting[path] = Waiting(event: event, firstMs: atMs, lastMs: atMs)
            return
        }
        known.lastMs = atMs
        // A folder that has come is looked at as a whole, whatever happened in it since; one that went and
        // came again has come.
        if case .changed = event {} else { known.event = event }
        waiting[path] = known
    }

    /// When the next is due.
    var nextMs: Int64? { waiting.values.map(\.dueMs).min() }

    /// The events that are due. Removals come first, since a removed path may have come again under another name.
    mutating func take(atMs: Int64) -> [FolderEvent] {
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
