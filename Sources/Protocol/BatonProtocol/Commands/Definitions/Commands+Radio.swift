public import BatonCore

/// Commands about radio stations.
extension Commands {
    /// Plays a station: by its item, its place among the presets, or its name.
    public struct RadioPlay: HubRequest {
        public static let kind = RequestKind.radioPlay
        public private(set) var uri: ItemURI?
        public private(set) var preset: Int?
        public private(set) var name: String?

        public init(_ choice: StationChoice) {
            switch choice {
            case .item(let uri): self.uri = uri
            case .preset(let place): preset = place
            case .name(let name): self.name = name
            }
        }

        private init(_ uri: ItemURI?, _ preset: Int?, _ name: String?) {
            self.uri = uri
            self.preset = preset
            self.name = name
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.uri("uri", value?.uri), try p.int("preset", value?.preset, in: 1...StationText.mostPresets),
                try p.text("name", value?.name, bytes: 1...StationText.titleBytes))
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            guard [uri != nil, preset != nil, name != nil].count(where: { $0 }) != 1 else { return }
            throw faults.fault("uri", "Name one station: by uri, preset or name.")
        }

        package var request: Request {
            .radio(.play(uri.map(StationChoice.item) ?? preset.map(StationChoice.preset) ?? .name(name ?? "")))
        }
    }

    /// Lists stations: those that are kept, and those of the directory behind them.
    public struct RadioList: HubRequest {
        public typealias Answer = StationList

        public static let kind = RequestKind.radioList
        public var search: StationSearch

        public init(_ search: StationSearch = StationSearch()) { self.search = search }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            let search = value?.search
            return Self(
                StationSearch(
                    try p.text("find", search?.words, bytes: 1...256), country: try p.text("country", search?.country, bytes: 1...64),
                    tag: try p.text("tag", search?.tag, bytes: 1...64), language: try p.text("language", search?.language, bytes: 1...64),
                    presetsOnly: try p.bool("presets", search?.presetsOnly, default: false), page: try p.page(search?.page, usual: 80)))
        }

        package var request: Request { .radio(.list(search)) }
    }

    /// Adds stations, changes or removes one, or makes one a preset.
    public struct RadioChange: HubRequest {
        public static let kind = RequestKind.radioEdit
        public private(set) var added: [Station]?
        public private(set) var source: String?
        public private(set) var removed: ItemURI?
        public private(set) var changed: ItemURI?
        public private(set) var title: String?
        public private(set) var url: String?
        public private(set) var starred: ItemURI?
        public private(set) var place = StationText.mostPresets

        public init(_ edit: RadioEdit) {
            switch edit {
            case .add(let stations, let source): (added, self.source) = (stations, source)
            case .remove(let uri): removed = uri
            case .change(let uri, let title, let url): (changed, self.title, self.url) = (uri, title, url)
            case .star(let uri, let place): (starred, self.place) = (uri, place)
            }
        }

        private init() {}

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            var change = Self()
            change.added = try p.stations("add", value?.added)
            change.source = try p.sourceName("source", value?.source)
            change.removed = try p.uri("remove", value?.removed)
            change.changed = try p.uri("change", value?.changed)
            change.title = try p.text("title", value?.title, bytes: 1...StationText.titleBytes)
            change.url = try p.text("url", value?.url, bytes: 1...StationText.urlBytes)
            change.starred = try p.uri("star", value?.starred)
            change.place = try p.int("at", value?.place, in: 0...StationText.mostPresets, default: StationText.mostPresets)
            return change
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            guard [added != nil, removed != nil, changed != nil, starred != nil].count(where: { $0 }) == 1 else {
                throw faults.fault("add", "Say one thing that changes: add, remove, change or star.")
            }
            guard changed == nil || title != nil || url != nil else { throw faults.fault("title", "Say what changes: title or url.") }
        }

        package var request: Request {
            if let added { return .radio(.edit(.add(added, source: source))) }
            if let removed { return .radio(.edit(.remove(removed))) }
            if let changed { return .radio(.edit(.change(changed, title: title, url: url))) }
            return .radio(.edit(.star(starred ?? ItemURI(""), at: place)))
        }
    }
}
