import BatonCore
import BatonSeams

/// The titles and presets before and after what a station plays. It is a port because commands that go there are answered with it.
@Loop
protocol StationFollowing {
    /// The preset that follows a station.
    func preset(after station: ItemURI) -> ItemURI?
    /// Where a title begins in the past of the station that is current.
    func target(ofTitle number: Int, _ visit: Visit) async throws(SourceFault) -> PastTarget
}
