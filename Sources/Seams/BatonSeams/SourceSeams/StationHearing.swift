/// Plays stations by their addresses, for any source: one connection and one buffer for each address.
import BatonCore

/// Plays stations that any source names.
package protocol StationHearing: Sendable {
    /// Plays a station by the address of its stream or of a playlist. The title is for the sentence of a fault.
    func play(_ url: String, title: String, _ policy: AddressPolicy) async throws(SourceFault) -> Playable

    /// The recorded past of the station, whether it plays now or not; `nil` where nothing is recorded.
    func past(of url: String) async -> (any StationPast)?
}

/// A station with the title from its source, and its recorded past.
package struct StationWithPast: Sendable {
    /// The title that the source gives the station.
    package var title: String
    package var past: any StationPast

    package init(_ title: String, _ past: any StationPast) {
        self.title = title
        self.past = past
    }
}
