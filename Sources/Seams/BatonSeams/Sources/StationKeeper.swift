/// Where the hub keeps its stations and presets, and the directory of stations that its owner gave it. Every call may wait for the
/// disk.
package import BatonCore

package protocol StationKeeper: Sendable {
    /// In the order of their names; presets too.
    func stations(_ query: StationQuery) throws(SourceFault) -> StationPage
    /// In their order.
    func presets() throws(SourceFault) -> [KeptStation]
    func station(_ id: Int) throws(SourceFault) -> KeptStation?
    /// The station whose stream is at this address.
    func station(at url: String) throws(SourceFault) -> KeptStation?
    /// Keeps those whose address is not kept yet, in one step; returns how many these were. A station that is kept stays as it is.
    func add(_ stations: [Station], isOwn: Bool) throws(SourceFault) -> Int
    func remove(_ id: Int) throws(SourceFault) -> Bool
    /// Keeps it with this name and this address. `badRequest` where another station has the address.
    func change(_ id: Int, to station: Station) throws(SourceFault)
    /// Makes it a preset at this place, from 1, before the one that has it now; at the end when there are fewer. `nil` takes it out.
    func setPreset(_ id: Int, at place: Int?) throws(SourceFault) -> Bool

    // MARK: The directory

    func directory(_ query: StationQuery) throws(SourceFault) -> StationPage
    func directoryStation(at url: String) throws(SourceFault) -> Station?
    /// What tells the file that the directory was read from, from a newer one.
    func directoryStamp() throws(SourceFault) -> String?
    /// Begins a directory that takes the place of the one that is there once it is finished.
    func beginDirectory() throws(SourceFault) -> Int
    func put(_ stations: [Station], inDirectory number: Int) throws(SourceFault)
    func finishDirectory(_ number: Int, stamp: String) throws(SourceFault)
}

/// Which stations are asked for. What is empty does not matter.
package struct StationQuery: Equatable, Sendable {
    /// Beginnings of words of the title, the tags, the country or the language.
    package var text: String
    package var country: String
    package var tag: String
    package var language: String
    package var window: PageWindow

    package init(_ text: String = "", country: String = "", tag: String = "", language: String = "", window: PageWindow = PageWindow()) {
        self.text = text
        self.country = country
        self.tag = tag
        self.language = language
        self.window = window
    }
}

package struct StationPage: Equatable, Sendable {
    /// In the directory a station has the number 0.
    package var stations: [KeptStation]
    package var total: Int

    package init(_ stations: [KeptStation] = [], total: Int = 0) {
        self.stations = stations
        self.total = total
    }
}

/// The source whose items are the stations of a keeper, as the hub's own commands need it.
package protocol StationShelf: Connector {
    var keeper: any StationKeeper { get }
    /// The item that a station is.
    func uri(of kept: KeptStation) -> ItemURI
    func tags(of kept: KeptStation) -> Tags
    /// The station that an item is; its number is 0 while it is only in the directory.
    func kept(_ uri: ItemURI) throws(SourceFault) -> KeptStation
    /// Stations that are kept, and behind them those of the directory. Like the keeper it may wait for the disk.
    func stations(_ query: StationQuery) throws(SourceFault) -> StationPage
}
