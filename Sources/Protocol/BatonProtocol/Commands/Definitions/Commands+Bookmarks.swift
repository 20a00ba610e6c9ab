public import BatonCore

/// Commands about bookmarks.
extension Commands {
    /// Keeps a place: that of what plays, or one in an item.
    public struct MarkAdd: HubRequest {
        public typealias Answer = BookmarkList

        public static let kind = RequestKind.markAdd
        public var target: BookmarkTarget
        public var note: String
        /// An entry was named beside an item, and only one of them can be meant.
        private var isUnclear = false

        public init(_ target: BookmarkTarget = .current(nil, positionMs: nil), note: String = "") {
            self.target = target
            self.note = note
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            let entry = try p.entry("entry", value?.target.entry)
            let uri = try p.uri("uri", value?.target.uri)
            let positionMs = try p.int("posMs", value?.target.positionMs, in: 0...ParameterRange.longestMs)
            let note = try p.text("note", value.flatMap { $0.note.isEmpty ? nil : $0.note }, bytes: 0...Bookmark.noteBytes) ?? ""
            guard let uri else { return Self(.current(entry, positionMs: positionMs), note: note) }
            var add = Self(.item(uri, positionMs: positionMs ?? 0), note: note)
            add.isUnclear = entry != nil
            return add
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            if isUnclear { throw faults.fault("entry", "An entry is named for what plays, and not together with an item.") }
        }

        package var request: Request { .bookmarks(.add(target, note: note)) }
    }

    /// Lists the bookmarks of an item, or all.
    public struct Marks: HubRequest {
        public typealias Answer = BookmarkList

        public static let kind = RequestKind.markList
        public var uri: ItemURI?
        public var page: LibraryRequest.Page

        public init(of uri: ItemURI? = nil, _ page: LibraryRequest.Page = LibraryRequest.Page(limit: 80)) {
            self.uri = uri
            self.page = page
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(of: try p.uri("uri", value?.uri), try p.page(value?.page, usual: 80))
        }

        package var request: Request { .bookmarks(.list(uri, page)) }
    }

    /// Changes a bookmark, or brings a deleted one back.
    public struct MarkEdit: HubRequest {
        public typealias Answer = BookmarkList

        public static let kind = RequestKind.markEdit
        public var id: Int
        public var edit: BookmarkEdit

        public init(_ id: Int, _ edit: BookmarkEdit) {
            self.id = id
            self.edit = edit
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.bookmark(value?.id),
                BookmarkEdit(
                    note: try p.text("note", value?.edit.note, bytes: 0...Bookmark.noteBytes),
                    positionMs: try p.int("posMs", value?.edit.positionMs, in: 0...ParameterRange.longestMs),
                    restores: try p.bool("restore", value?.edit.restores, default: false)))
        }

        package var request: Request { .bookmarks(.edit(id, edit)) }
    }
}

extension ParameterCoder {
    fileprivate mutating func bookmark(_ value: Int?) throws(ProtocolFault) -> Int {
        try required("id", int("id", value, in: 1...ParameterRange.longestMs))
    }
}

extension BookmarkTarget {
    fileprivate var entry: EntryID? { if case .current(let entry, _) = self { entry } else { nil } }
    fileprivate var uri: ItemURI? { if case .item(let uri, _) = self { uri } else { nil } }
    fileprivate var positionMs: Int? {
        switch self {
        case .current(_, let positionMs): positionMs
        case .item(_, let positionMs): positionMs
        }
    }
}

extension Commands.MarkDelete: HubRequest { package var request: Request { .bookmarks(.delete(id)) } }
