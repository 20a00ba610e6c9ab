public import BatonCore

/// Commands about what sources offer.
extension Commands {
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
}

extension Commands.Search: HubRequest {
    public typealias Answer = ItemList
    package var request: Request {
        .library(
            .search(
                LibraryRequest.Search(
                    text, kinds: kinds ?? [], source: source, isUnfolded: isUnfolded, isAvailable: isAvailable, page: page)))
    }
}
extension Commands.Item: HubRequest {
    public typealias Answer = ItemAnswer
    package var request: Request { .library(.item(uri, lyrics: lyrics, media: media)) }
}
extension Commands.RatingSet: HubRequest { package var request: Request { .library(.stars(uri, stars)) } }
extension Commands.Scan: HubRequest { package var request: Request { .library(.scan(isFull: isFull)) } }
extension Commands.Picture: HubRequest {
    public typealias Answer = ArtTransfer
    package var request: Request { .art(ArtRequest(id: id, width: width, height: height, format: format)) }
}
