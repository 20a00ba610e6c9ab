package import BatonCore
package import BatonSeams

/// The titles and presets before and after the current one. A port, since commands that go there need an answer.
@Loop
package protocol StationFollowing: AnyObject {
    /// The preset that follows a station.
    func preset(after station: ItemURI) -> ItemURI?
    /// Makes a favourite station a preset, or removes it. It is stored when this returns.
    func star(_ station: ItemURI, _ isOn: Bool) async throws(SourceFault)
    /// The start of a title in the current station's past.
    func target(ofTitle number: Int, _ accepted: AcceptedCommand) async throws(SourceFault) -> RewindTarget
}
