/// Where a bookmark is, and since when.
import BatonCore

extension ServerPlace {
    /// With the time of its change by this hub's clock, however wrong the server's is.
    init(bookmark: SubsonicRecord, aheadMs: Int64) {
        let atMs = bookmark.text("changed", "created").flatMap { ServerTime.ms($0) }
        self.init(positionMs: min(max(bookmark.int("position") ?? 0, 0), 1 << 40), atMs: atMs.map { $0 - aheadMs })
    }
}
