public import BatonCore

/// The rows of `radio.list`.
extension StationList {
    /// A station as a list shows it.
    public struct Row: Equatable, Sendable {
        public var uri: ItemURI
        /// The station. Its address is empty for roles below remote.
        public var station: Station
        /// Its number among the presets, from 1.
        public var preset: Int?
        /// The id of its picture.
        public var art: String?

        package init(_ uri: ItemURI, _ station: Station, preset: Int? = nil, art: String? = nil) {
            self.uri = uri
            self.station = station
            self.preset = preset
            self.art = art
        }
    }
}
