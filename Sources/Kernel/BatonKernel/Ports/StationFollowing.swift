package import BatonCore
package import BatonSeams

/// The titles and presets before and after what a station plays. It is a port because commands that go there are answered with it.
@Loop
package protocol StationFollowing: AnyObject {
    /// The preset that follows a station.
    func preset(after station: ItemURI) -> ItemURI?
    /// A station that became a favourite is a preset from then on. Returns when that is kept.
    func star(_ station: ItemURI, _ isOn: Bool) async throws(SourceFault)
    /// Where a title begins in the past of the station that is current.
    func target(ofTitle number: Int, _ visit: Visit) async throws(SourceFault) -> PastTarget
}
