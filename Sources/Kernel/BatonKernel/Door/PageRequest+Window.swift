import BatonProtocol
package import BatonSeams

extension PageRequest {
    /// The page in the form that sources take.
    package var window: PageWindow { PageWindow(from: from, limit: limit, cursor: cursor) }
}
