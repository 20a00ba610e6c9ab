public import BatonCore

/// Commands about places in books and episodes.
extension Commands {
    /// Lists places: of one item with its side places, or of all that were begun or finished.
    public struct ProgressListing: HubRequest {
        public typealias Answer = ProgressList

        public static let kind = RequestKind.progressList
        public var uri: ItemURI?
        public var isFinished: Bool
        public var page: LibraryRequest.Page

        public init(_ uri: ItemURI? = nil, isFinished: Bool = false, _ page: LibraryRequest.Page = LibraryRequest.Page(limit: 50)) {
            self.uri = uri
            self.isFinished = isFinished
            self.page = page
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.uri("uri", value?.uri), isFinished: try p.bool("fin", value?.isFinished, default: false),
                try p.page(value?.page, usual: 50))
        }

        package var request: Request { .progress(.list(uri: uri, isFinished: isFinished, page)) }
    }

    /// Makes a side place the place.
    public struct ProgressRestore: HubRequest {
        public typealias Answer = ProgressList

        public static let kind = RequestKind.progressRestore
        public var uri: ItemURI
        public var session: SessionID

        public init(_ uri: ItemURI, _ session: SessionID) {
            self.uri = uri
            self.session = session
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.required("uri", p.uri("uri", value?.uri)), try p.required("session", p.session("session", value?.session)))
        }

        package var request: Request { .progress(.restore(uri, session)) }
    }
}

extension Commands.ProgressFinish: HubRequest {
    public typealias Answer = ProgressList
    package var request: Request { .progress(.finish(uri)) }
}
extension Commands.ProgressReset: HubRequest {
    public typealias Answer = ProgressList
    package var request: Request { .progress(.reset(uri)) }
}
extension Commands.ProgressAsleep: HubRequest {
    public typealias Answer = AsleepPlaces
    package var request: Request { .progress(.asleep) }
}
extension Commands.ProgressHere: HubRequest { package var request: Request { .progress(.here) } }

extension Commands.ProgressTold: HubRequest {
    public typealias Answer = ProgressList

    public init(_ report: ProgressReport) {
        self.init(report.uri, positionMs: report.positionMs, session: report.session, parent: report.parent, isAtEnd: report.isAtEnd)
    }

    package var request: Request {
        .progress(.report(ProgressReport(uri, positionMs: positionMs, session: session, parent: parent, isAtEnd: isAtEnd)))
    }
}
