import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// The rows that can be played now: those on this machine, on servers that are up, and those with a copy.
extension LibraryService {
    /// Removes other rows. The list has no total then, which would need a check of every row.
    func keepAvailable(in list: inout ItemList) async {
        list.rows = await available(list.rows)
        list.total = nil
    }

    func available(_ rows: [ItemRow]) async -> [ItemRow] {
        var available: [ItemRow] = []
        for row in rows where await isAvailable(row) { available.append(row) }
        return available
    }

    /// True when a row can be played. A container of an unavailable server needs a copy of one of its tracks, which the
    /// mirror lists.
    private func isAvailable(_ row: ItemRow) async -> Bool {
        guard row.isAway else { return true }
        guard row.tags.kind.isContainer else { return false }
        let source = sources.name(of: row.uri)
        if row.tags.kind == .shelf { return copies?.hasWhole(of: source) == true }
        return await sources.mirroredTracks(of: row.uri, in: source).contains { sources.hasCopy(of: $0) }
    }
}
