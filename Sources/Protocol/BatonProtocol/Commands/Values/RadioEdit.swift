public import BatonCore

/// A change of the stations that the hub or a server keeps. Done twice, it is the same as done once.
public enum RadioEdit: Equatable, Sendable {
    /// Stations that the hub keeps, or the server that is the source. A station whose address is kept already stays as it is.
    case add([Station], source: String? = nil)
    case remove(ItemURI)
    /// Gives a station another name, another address, or both.
    case change(ItemURI, title: String?, url: String?)
    /// Makes a station a preset at this place; 0 takes it out of the presets.
    case star(ItemURI, at: Int)
}

extension Commands.RadioChange {
    public init(_ edit: RadioEdit) {
        self.init()
        switch edit {
        case .add(let stations, let source): (add, self.source) = (stations, source)
        case .remove(let uri): remove = uri
        case .change(let uri, let title, let url): (change, self.title, self.url) = (uri, title, url)
        case .star(let uri, let place): (star, self.place) = (uri, place)
        }
    }

    package var edit: RadioEdit {
        if let add { return .add(add, source: source) }
        if let remove { return .remove(remove) }
        if let change { return .change(change, title: title, url: url) }
        return .star(star ?? ItemURI(""), at: place)
    }
}
