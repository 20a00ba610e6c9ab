/// Hears stations by their addresses, for whichever source named them: one connection and one buffer for each address.
import BatonCore

package protocol StationHearing: Sendable {
    /// Plays a station by its address, or by that of a playlist. The title is for the sentence of a fault.
    func play(_ url: String, title: String, _ policy: AddressPolicy) async throws(SourceFault) -> Playable

    /// What is kept of its sound, whether it is heard now or not; `nil` where nothing is kept.
    func past(of url: String) async -> (any StreamPast)?
}

/// A station as its source calls it, and what is kept of its sound.
package struct PastStation: Sendable {
    package var title: String
    package var past: any StreamPast

    package init(_ title: String, _ past: any StreamPast) {
        self.title = title
        self.past = past
    }
}
