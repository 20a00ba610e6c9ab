import BatonProtocol
import BatonSeams

extension PageRequest {
    /// The page as sources are asked for it.
    var window: PageWindow { PageWindow(from: from, limit: limit, cursor: cursor) }
}
