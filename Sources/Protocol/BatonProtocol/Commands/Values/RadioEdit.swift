public import BatonCore

/// A change of the stations of the hub or a server. Repeating it changes nothing.
public enum RadioEdit: Equatable, Sendable {
    /// Adds stations to the hub, or to a server. Stations with a known address stay unchanged.
    case add([Station], source: String? = nil)
    case remove(ItemURI)
    /// Changes the name, the address, or both.
    case change(ItemURI, title: String?, url: String?)
    /// Makes it a preset with this number; 0 removes it from the presets.
    case star(ItemURI, at: Int)
}

extension Commands.RadioChange {
    /// The command for an edit, in which only the parameters of that edit are set.
    public init(_ edit: RadioEdit) {
        self.init()
        switch edit {
        case .add(let stations, let source): (add, self.source) = (stations, source)
        case .remove(let uri): remove = uri
        case .change(let uri, let title, let url): (change, self.title, self.url) = (uri, title, url)
        case .star(let uri, let place): (star, self.place) = (uri, place)
        }
    }

    /// The edit that the command requests; the first parameter that is set decides.
    package var edit: RadioEdit {
        if let add { return .add(add, source: source) }
        if let remove { return .remove(remove) }
        if let change { return .change(change, title: title, url: url) }
        return .star(star ?? ItemURI(""), at: place)
    }
}
