/// Devices of the user that play a book elsewhere, so that the newest can be continued here. This hub's own rooms are
/// left out.
import BatonCore
package import BatonSeams

extension SapphoConnector {
    package func savedQueue() async throws(SourceFault) -> SavedQueue? {
        let reply = try await server.tell(.get, "/api/sessions/user/\(try await own.id(server))")
        let ahead = reply.dateMs.map { $0 - clock.wallMs } ?? 0
        let devices = await own.devices
        let others = (reply.json?["sessions"]?.array ?? []).compactMap { SapphoSession($0) }.filter {
            $0.platform != Self.platform || !devices.contains($0.device)
        }
        guard let newest = others.max(by: { ($0.isPlaying ? 1 : 0, $0.updatedAtMs) < ($1.isPlaying ? 1 : 0, $1.updatedAtMs) }) else {
            return nil
        }
        let book = try await book(newest.book)
        return SavedQueue(
            entries: [NewEntry(uri: rows.uri(.book(book.id)), tags: rows.tags(book))], current: 0, positionMs: newest.positionMs,
            savedAtMs: newest.updatedAtMs - ahead, savedBy: newest.device)
    }
}
