import BatonCore
import BatonSeams

/// Knows what comes before and after what a station plays. Commands to go there are answered with what it says.
@Loop
protocol StationFollowing {
    /// The preset that follows a station.
    func preset(after station: ItemURI) -> ItemURI?
    /// Where a title begins in the past of the station that is current.
    func target(ofTitle number: Int, _ visit: Visit) async throws(SourceFault) -> PastTarget
}
