import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Changes to the stored stations and the presets.
extension RadioService {
    /// Changes a station or a preset. False when it was so already. `isOwn` is true for a person who may name any address of the network.
    func change(_ wish: Commands.RadioChange, isOwn: Bool) async throws(SourceFault) -> Bool {
        try await change { shelf throws(SourceFault) in
            if let stations = wish.add { return try shelf.keeper.add(stations, isOwn: isOwn) > 0 }
            if let uri = wish.remove { return try shelf.keeper.remove(try shelf.kept(uri).id) }
            if let uri = wish.change { return try Self.change(try shelf.kept(uri), title: wish.title, url: wish.url, in: shelf) }
            let kept = try shelf.kept(wish.star ?? ItemURI(""))
            // A station that is not stored is no preset, so there is nothing to remove.
            if wish.place == 0, kept.id == 0 { return false }
            return try shelf.keeper.setPreset(try Self.number(of: kept, in: shelf), at: wish.place == 0 ? nil : wish.place)
        }
    }

    private nonisolated static func change(
        _ kept: KeptStation, title: String?, url: String?, in shelf: any StationShelf
    ) throws(SourceFault) -> Bool {
        var station = kept.station
        station.title = title ?? station.title
        station.url = url ?? station.url
        guard let station = station.checked else { throw SourceFault(.badRequest, "A station has a name and an http or https address.") }
        guard station != kept.station else { return false }
        try shelf.keeper.change(try number(of: kept, in: shelf), to: station)
        return true
    }
}
