/// Finds the next book of a series.
package import BatonCore
package import BatonSeams

extension SapphoConnector {
    package func following(_ uri: ItemURI) async throws(SourceFault) -> ItemRow? {
        guard case .book(let id) = try item(uri), let series = try await book(id).series else { return nil }
        let books = try await books(ofSeries: series)
        guard let index = books.firstIndex(where: { $0.id == id }), books.indices.contains(index + 1) else { return nil }
        return await bookRows([books[index + 1]]).first
    }
}
