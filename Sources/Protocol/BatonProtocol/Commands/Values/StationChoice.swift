public import BatonCore

/// A reference to a station.
public enum StationChoice: Equatable, Sendable {
    case item(ItemURI)
    /// A number among the presets, from 1.
    case preset(Int)
    /// A name, or the beginnings of its words.
    case name(String)
}

extension Commands.RadioPlay {
    /// The command that plays the station, with exactly one of its three parameters set.
    public init(_ choice: StationChoice) {
        self.init()
        switch choice {
        case .item(let uri): self.uri = uri
        case .preset(let place): preset = place
        case .name(let name): self.name = name
        }
    }

    /// The choice that the command requests; a URI has precedence over a preset, and a preset over a name.
    package var choice: StationChoice { uri.map(StationChoice.item) ?? preset.map(StationChoice.preset) ?? .name(name ?? "") }
}
