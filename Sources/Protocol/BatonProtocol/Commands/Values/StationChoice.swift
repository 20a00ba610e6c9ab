public import BatonCore

/// Which station is meant.
public enum StationChoice: Equatable, Sendable {
    case item(ItemURI)
    /// By its place among the presets, from 1.
    case preset(Int)
    /// By its name or the beginnings of its words.
    case name(String)
}

extension Commands.RadioPlay {
    public init(_ choice: StationChoice) {
        self.init()
        switch choice {
        case .item(let uri): self.uri = uri
        case .preset(let place): preset = place
        case .name(let name): self.name = name
        }
    }

    package var choice: StationChoice { uri.map(StationChoice.item) ?? preset.map(StationChoice.preset) ?? .name(name ?? "") }
}
