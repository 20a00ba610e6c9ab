/// The position and time in a bookmark.
import BatonCore

extension ServerPlace {
    /// Takes a bookmark. Its time is converted to this hub's clock, because the server's may be wrong.
    init(bookmark: SubsonicRecord, aheadMs: Milliseconds) {
        let atMs = bookmark.text("changed", "created").flatMap { ServerTime.ms($0) }
        self.init(positionMs: Milliseconds(min(max(bookmark.int("position") ?? 0, 0), 1 << 40)), atMs: atMs.map { $0 - aheadMs })
    }
}
