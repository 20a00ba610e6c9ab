import BatonProtocol
package import BatonSeams

extension PageRequest {
    /// The page in the form that sources take.
    package var window: PageWindow { PageWindow(from: from, limit: limit, cursor: cursor) }
}

extension PageWindow {
    /// The rows of this page in a whole list.
    package func rows<Row>(of all: [Row]) -> [Row] { Array(all.dropFirst(offset).prefix(limit)) }

    /// The cursor of the page after this one, which has `count` rows of `total`; `nil` if it is the last one.
    package func next(after count: Int, of total: Int) -> String? {
        count > 0 && offset + count < total ? String(offset + count) : nil
    }
}
