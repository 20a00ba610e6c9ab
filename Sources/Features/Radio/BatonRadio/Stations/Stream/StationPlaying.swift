/// Plays a station by its address, whether it is stored or not.
import BatonCore
package import BatonSeams

package struct StationPlaying: StationHearing {
    private let http: any HTTPCalling
    private let streams: StationStreams

    package init(http: any HTTPCalling, streams: StationStreams) {
        self.http = http
        self.streams = streams
    }

    /// The buffered sound of a station.
    package func past(of url: String) async -> (any StationPast)? {
        guard let address = WebAddress(url) else { return nil }
        return await streams.past(of: address.text)
    }

    /// Opens a station for a player.
    package func play(_ url: String, title: String, _ policy: AddressPolicy) async throws(SourceFault) -> Playable {
        do throws(SourceFault) {
            guard let address = WebAddress(url) else { throw SourceFault(.unsupported, "Its address is no http or https address.") }
            switch try await streams.listen(to: address, policy) {
            case .live(let bytes): return Playable(.bytes(bytes), isLive: true)
            case .pieces(let file, let durationMs):
                // The suffix is dropped, because it names the playlist's format and not the sound's.
                let name = WebAddress.title(of: address.text).prefix { $0 != "." }
                var playable = Playable(.bytes(NamedBytes(name.isEmpty ? "stream" : String(name), file)))
                playable.durationMs = durationMs > 0 ? durationMs : nil
                return playable
            case .file:
                let file = try await http.open(HTTPCall(.get, address.text, limits: .stream, policy: policy))
                return Playable(.bytes(NamedBytes(WebAddress.title(of: address.text), file)))
            }
        } catch {
            var fault = error
            fault.sentence = "“\(title)” cannot be heard: \(error.sentence)"
            throw fault
        }
    }
}
