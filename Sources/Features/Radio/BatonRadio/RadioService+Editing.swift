import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Changes to the stored stations and the presets.
extension RadioService {
    /// Changes a station or a preset. False when it was so already. `isOwn` is true for a person who may name any address of the network.
    func change(_ wish: Commands.RadioChange, isOwn: Bool) async throws(SourceFault) -> Bool {
        try await change { shelf throws(SourceFault) in
            if let stations = wish.add { return try shelf.storage.add(stations, isOwn: isOwn) > 0 }
            if let uri = wish.remove { return try shelf.storage.remove(try shelf.stored(uri).id) }
            if let uri = wish.change { return try Self.change(try shelf.stored(uri), title: wish.title, url: wish.url, in: shelf) }
            let stored = try shelf.stored(wish.star ?? ItemURI(""))
            // A station that is not stored is no preset, so there is nothing to remove.
            if wish.place == 0, stored.id == 0 { return false }
            return try shelf.storage.setPreset(try Self.number(of: stored, in: shelf), at: wish.place == 0 ? nil : wish.place)
        }
    }

    private nonisolated static func change(
        _ stored: StoredStation, title: String?, url: String?, in shelf: any StationShelf
    ) throws(SourceFault) -> Bool {
        var station = stored.station
        station.title = title ?? station.title
        station.url = url ?? station.url
        guard let station = station.checked else { throw SourceFault(.badRequest, "A station has a name and an http or https address.") }
        guard station != stored.station else { return false }
        try shelf.storage.change(try number(of: stored, in: shelf), to: station)
        return true
    }
}
