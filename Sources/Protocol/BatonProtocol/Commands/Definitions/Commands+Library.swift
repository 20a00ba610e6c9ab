public import BatonCore

/// Commands about what sources offer.
extension Commands {
    /// Searches all sources.
    public struct Search: HubRequest {
        public typealias Answer = ItemList

        public static let kind = RequestKind.libSearch
        public var text: String
        /// `nil` means all.
        public var kinds: [ItemKind]?
        /// `nil` asks every source that can be searched.
        public var source: String?
        /// Shows each place of a track as a row of its own.
        public var isUnfolded: Bool
        /// Only what can be played now.
        public var isAvailable: Bool
        public var page: LibraryRequest.Page

        public init(
            _ text: String, kinds: [ItemKind]? = nil, source: String? = nil, isUnfolded: Bool = false, isAvailable: Bool = false,
            page: LibraryRequest.Page = .init(limit: 80)
        ) {
            self.text = text
            self.kinds = kinds
            self.source = source
            self.isUnfolded = isUnfolded
            self.isAvailable = isAvailable
            self.page = page
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("q", p.text("q", value?.text, bytes: 1...1024)),
                kinds: try p.choices("kinds", value?.kinds, of: "a kind of item"),
                source: try p.text("source", value?.source, bytes: 1...64),
                isUnfolded: try p.bool("unfold", value?.isUnfolded, default: false),
                isAvailable: try p.bool("available", value?.isAvailable, default: false), page: try p.page(value?.page, usual: 80))
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            guard text.contains(where: { !$0.isWhitespace }) else { throw faults.fault("q", "q must name something to look for.") }
        }

        package var request: Request {
            .library(
                .search(
                    LibraryRequest.Search(
                        text, kinds: kinds ?? [], source: source, isUnfolded: isUnfolded, isAvailable: isAvailable, page: page)))
        }
    }

    /// Without a node: the shelves of all sources.
    public struct Browse: HubRequest {
        public typealias Answer = ItemList

        public static let kind = RequestKind.libBrowse
        public var node: ItemURI?
        public var sort: ItemSort?
        /// Shows each place of a track as a row of its own.
        public var isUnfolded: Bool
        /// Only what can be played now.
        public var isAvailable: Bool
        public var page: LibraryRequest.Page

        public init(
            _ node: ItemURI? = nil, sort: ItemSort? = nil, isUnfolded: Bool = false, isAvailable: Bool = false,
            page: LibraryRequest.Page = .init()
        ) {
            self.node = node
            self.sort = sort
            self.isUnfolded = isUnfolded
            self.isAvailable = isAvailable
            self.page = page
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.uri("node", value?.node), sort: try p.choice("sort", value?.sort),
                isUnfolded: try p.bool("unfold", value?.isUnfolded, default: false),
                isAvailable: try p.bool("available", value?.isAvailable, default: false), page: try p.page(value?.page))
        }

        package var request: Request { .library(.browse(node: node, sort: sort, isUnfolded: isUnfolded, isAvailable: isAvailable, page)) }
    }

    /// Asks for one item and what it contains.
    public struct Item: HubRequest {
        public typealias Answer = ItemAnswer

        public static let kind = RequestKind.libItem
        public var uri: ItemURI
        public var lyrics: Bool
        public var media: Bool

        public init(_ uri: ItemURI, lyrics: Bool = false, media: Bool = false) {
            self.uri = uri
            self.lyrics = lyrics
            self.media = media
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("uri", p.uri("uri", value?.uri)), lyrics: try p.bool("lyrics", value?.lyrics, default: false),
                media: try p.bool("media", value?.media, default: false))
        }

        package var request: Request { .library(.item(uri, lyrics: lyrics, media: media)) }
    }

    /// Lists what was played, the latest first.
    public struct PlayedHistory: HubRequest {
        public typealias Answer = PlayedList

        public static let kind = RequestKind.libHistory
        public var page: LibraryRequest.Page

        public init(_ page: LibraryRequest.Page = .init()) { self.page = page }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.page(value?.page))
        }

        package var request: Request { .library(.history(page)) }
    }

    /// Marks an item as a favourite, or takes the mark back.
    public struct FavouriteSet: HubRequest {
        public static let kind = RequestKind.favSet
        public var uri: ItemURI
        public var isOn: Bool

        public init(_ uri: ItemURI, _ isOn: Bool) {
            self.uri = uri
            self.isOn = isOn
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.required("uri", p.uri("uri", value?.uri)), try p.required("on", p.bool("on", value?.isOn)))
        }

        package var request: Request { .library(.favourite(uri, isOn)) }
    }

    /// Rates an item, or takes the rating back.
    public struct RatingSet: HubRequest {
        public static let kind = RequestKind.rateSet
        public var uri: ItemURI
        public var stars: Int

        public init(_ uri: ItemURI, stars: Int) {
            self.uri = uri
            self.stars = stars
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.required("uri", p.uri("uri", value?.uri)), stars: try p.required("stars", p.int("stars", value?.stars, in: 0...5)))
        }

        package var request: Request { .library(.stars(uri, stars)) }
    }

    /// Lists the library's folders, with the state of the scan, or with the folders inside of one that may be looked into.
    public struct Folders: HubRequest {
        public typealias Answer = LibraryFolders

        public static let kind = RequestKind.libFolders
        public var path: String?

        public init(in path: String? = nil) { self.path = path }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(in: try p.folder("in", value?.path))
        }

        package var request: Request { .library(.folders(in: path)) }
    }

    /// Adds a folder to the library, or takes it out.
    public struct FolderSet: HubRequest {
        public static let kind = RequestKind.libFolder
        public var path: String
        public var isOn: Bool
        public var holds: FolderContent?

        public init(_ path: String, _ isOn: Bool, holds: FolderContent? = nil) {
            self.path = path
            self.isOn = isOn
            self.holds = holds
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("path", p.folder("path", value?.path)), try p.required("on", p.bool("on", value?.isOn)),
                holds: try p.choice("holds", value?.holds))
        }

        package var request: Request { .library(.setFolder(path, isWanted: isOn, holds: holds)) }
    }

    /// Scans the library's folders.
    public struct Scan: HubRequest {
        public static let kind = RequestKind.hubScan
        public var isFull: Bool

        public init(isFull: Bool = false) {
            self.isFull = isFull
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(isFull: try p.bool("full", value?.isFull, default: false))
        }

        package var request: Request { .library(.scan(isFull: isFull)) }
    }

    /// Asks for a picture, made to fit.
    public struct Picture: HubRequest {
        public typealias Answer = ArtTransfer

        public static let kind = RequestKind.artGet
        public var id: String
        public var width: Int
        /// `nil` keeps the picture's shape.
        public var height: Int?
        public var format: ArtRequest.Format

        public init(_ id: String, width: Int, height: Int? = nil, format: ArtRequest.Format = .jpeg) {
            self.id = id
            self.width = width
            self.height = height
            self.format = format
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("id", p.token("id", value?.id, length: 1...64)),
                width: try p.required("w", p.int("w", value?.width, in: ArtRequest.sides)),
                height: try p.int("h", value?.height, in: ArtRequest.sides),
                format: try p.choice("fmt", value?.format, default: .jpeg))
        }

        package var request: Request { .art(ArtRequest(id: id, width: width, height: height, format: format)) }
    }
}
