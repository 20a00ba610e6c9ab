import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Changes to the stored stations and the presets.
extension RadioService {
    /// Changes a station or a preset. False when it was so already. `isOwn` is true for a person who may name any address of the network.
    func change(_ edit: RadioEdit, isOwn: Bool) async throws(SourceFault) -> Bool {
        try await change { shelf throws(SourceFault) in
            switch edit {
            case .add(let stations, _): return try shelf.keeper.add(stations, isOwn: isOwn) > 0
            case .remove(let uri): return try shelf.keeper.remove(try shelf.kept(uri).id)
            case .change(let uri, let title, let url): return try Self.change(try shelf.kept(uri), title: title, url: url, in: shelf)
            case .star(let uri, let place):
                let kept = try shelf.kept(uri)
                // A station that is not stored is no preset, so there is nothing to remove.
                if place == 0, kept.id == 0 { return false }
                return try shelf.keeper.setPreset(try Self.number(of: kept, in: shelf), at: place == 0 ? nil : place)
            }
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
