package import BatonProtocol
package import BatonSeams

extension PageRequest {
    /// The page as sources are asked for it.
    package var window: PageWindow { PageWindow(from: from, limit: limit, cursor: cursor) }
}
