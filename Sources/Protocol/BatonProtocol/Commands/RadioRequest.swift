public import BatonCore

/// Commands about radio stations.
public enum RadioRequest: Equatable, Sendable {
    case play(StationChoice)
    case list(StationSearch)
    case edit(RadioEdit)
    case record(RecordRequest)
    /// The titles that are kept of a station, or of the one that is current in the room; only so many before one of them.
    case titles(ItemURI?, before: Int?, limit: Int)
    case save(ItemURI?, title: Int)
}

/// Which station is meant.
public enum StationChoice: Equatable, Sendable {
    case item(ItemURI)
    /// By its place among the presets, from 1.
    case preset(Int)
    /// By its name or the beginnings of its words.
    case name(String)
}

/// Which stations are listed. What is absent does not matter.
public struct StationSearch: Equatable, Sendable {
    public var words: String?
    public var country: String?
    public var tag: String?
    public var language: String?
    /// Presets alone, in their order.
    public var presetsOnly: Bool
    public var page: PageRequest

    public init(
        _ words: String? = nil, country: String? = nil, tag: String? = nil, language: String? = nil, presetsOnly: Bool = false,
        page: PageRequest = PageRequest(limit: 80)
    ) {
        self.words = words
        self.country = country
        self.tag = tag
        self.language = language
        self.presetsOnly = presetsOnly
        self.page = page
    }
}

/// A change of the stations that the hub or a server keeps. Done twice, it is the same as done once.
public enum RadioEdit: Equatable, Sendable {
    /// Those whose address is kept already stay as they are. Kept by the hub, or at a server.
    case add([Station], source: String? = nil)
    case remove(ItemURI)
    /// Gives it another name, another address, or both.
    case change(ItemURI, title: String?, url: String?)
    /// Makes it a preset at this place; 0 takes it out of the presets.
    case star(ItemURI, at: Int)
}

/// Which recording begins or ends.
public enum RecordRequest: Equatable, Sendable {
    /// At a time, or now; for so long, or until it is stopped.
    case start(ItemURI, atMs: Int64?, lengthMs: Int?, repeats: Recording.Repeat?)
    /// Ends it, and those that would repeat it.
    case stop(Int)
}
