import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Which rows can be played now: those of this machine, of servers that can be reached, and those of which there is a copy.
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

    /// A container of a server that is away is available when there is a copy of a track in it. What is in it, the hub's copy of the rows
    /// says.
    private func isAvailable(_ row: ItemRow) async -> Bool {
        guard row.isAway else { return true }
        guard row.tags.kind.isContainer else { return false }
        let source = sources.name(of: row.uri)
        if row.tags.kind == .shelf { return copies?.hasWhole(of: source) == true }
        return await sources.mirroredTracks(of: row.uri, in: source).contains { sources.hasCopy(of: $0) }
    }
}
