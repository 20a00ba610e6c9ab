/// The store of stations and presets, and of the station directory that the owner supplied. Every call may wait for the disk.
package import BatonCore

/// Stores stations, presets and the directory.
package protocol StationStorage: Sendable {
    /// Stations, including presets, in the order of their names.
    func stations(_ query: StationQuery) throws(SourceFault) -> StationPage
    /// All presets in order.
    func presets() throws(SourceFault) -> [StoredStation]
    func station(_ id: Int) throws(SourceFault) -> StoredStation?
    /// The station with this stream address.
    func station(at url: String) throws(SourceFault) -> StoredStation?
    /// Stores the stations whose address is new, in one step, and returns their number. Known stations stay as they are.
    func add(_ stations: [Station], isOwn: Bool) throws(SourceFault) -> Int
    /// Removes a station, also from the presets. Returns false when there was none.
    func remove(_ id: Int) throws(SourceFault) -> Bool
    /// Changes the title and the address of a station. `badRequest` where another station has the address.
    func change(_ id: Int, to station: Station) throws(SourceFault)
    /// Makes a station a preset at this position, from 1, before the present one; at the end when there are fewer. `nil` removes it from the presets.
    func setPreset(_ id: Int, at place: Int?) throws(SourceFault) -> Bool

    // MARK: The directory

    /// Stations of the directory, in the order of their names.
    func directory(_ query: StationQuery) throws(SourceFault) -> StationPage
    func directoryStation(at url: String) throws(SourceFault) -> Station?
    /// The stamp of the file that the directory was read from, which tells it from a newer one.
    func directoryStamp() throws(SourceFault) -> String?
    /// Begins a directory, which replaces the present one when it is finished.
    func beginDirectory() throws(SourceFault) -> Int
    /// Adds stations to a directory that was begun.
    func put(_ stations: [Station], inDirectory number: Int) throws(SourceFault)
    /// Shows a directory from now on, and removes the one before. The stamp is that of its file.
    func finishDirectory(_ number: Int, stamp: String) throws(SourceFault)
}

/// A query for stations. Empty fields match everything.
package struct StationQuery: Equatable, Sendable {
    /// Beginnings of words in the title, the tags, the country or the language.
    package var text: String
    /// The country; empty for all.
    package var country: String
    /// A tag that the station must have; empty for all.
    package var tag: String
    /// The language; empty for all.
    package var language: String
    /// The part of the matching stations.
    package var window: PageWindow

    package init(_ text: String = "", country: String = "", tag: String = "", language: String = "", window: PageWindow = PageWindow()) {
        self.text = text
        self.country = country
        self.tag = tag
        self.language = language
        self.window = window
    }
}

/// A part of a list of stations.
package struct StationPage: Equatable, Sendable {
    /// The stations; those of the directory have the number 0.
    package var stations: [StoredStation]
    /// Number of all stations that match.
    package var total: Int

    package init(_ stations: [StoredStation] = [], total: Int = 0) {
        self.stations = stations
        self.total = total
    }
}

/// The source of stored stations, as the hub's own commands need it.
package protocol StationShelf: Connector {
    var storage: any StationStorage { get }
    /// The item of a station.
    func uri(of stored: StoredStation) -> ItemURI
    func tags(of stored: StoredStation) -> Tags
    /// The station of an item; its number is 0 while it is only in the directory.
    func stored(_ uri: ItemURI) throws(SourceFault) -> StoredStation
    /// Stored stations, followed by those of the directory. It may wait for the disk, like the store.
    func stations(_ query: StationQuery) throws(SourceFault) -> StationPage
}
