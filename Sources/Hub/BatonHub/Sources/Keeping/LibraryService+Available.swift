import BatonCore
import BatonProtocol
import BatonSeams

/// Which rows can be played now: those of this machine, of servers that can be reached, and those that are kept.
extension LibraryService {
    /// How many there are in all is not known without looking at each.
    func keepAvailable(in list: inout ItemList) async {
        list.rows = await available(list.rows)
        list.total = nil
    }

    func available(_ rows: [ItemRow]) async -> [ItemRow] {
        var available: [ItemRow] = []
        for row in rows where await isAvailable(row) { available.append(row) }
        return available
    }

    /// A container of a server that is away is available when a track in it is kept. What is in it, the hub's copy of the rows says.
    private func isAvailable(_ row: ItemRow) async -> Bool {
        guard row.isAway else { return true }
        guard row.tags.kind.isContainer, let keeping, !keeping.isEmpty else { return false }
        let source = sources.name(of: row.uri)
        if row.tags.kind == .shelf { return keeping.hasWhole(of: source) }
        return await sources.mirroredTracks(of: row.uri, in: source).contains { keeping.mark(of: $0)?.isWhole == true }
    }
}
