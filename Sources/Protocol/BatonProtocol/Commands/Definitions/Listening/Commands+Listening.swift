public import BatonCore

/// Commands of devices that play the sound of a room themselves.
extension Commands {
    /// Plays an item in a private room of the person who asks.
    public struct ListenOnly: HubRequest {
        public typealias Answer = CreatedRoom

        public static let kind = RequestKind.listenOnly
        public var uri: ItemURI
        /// Which of the tracks that it stands for plays first, counted from 0.
        public var index: Int
        public var positionMs: Int

        public init(_ uri: ItemURI, index: Int = 0, positionMs: Int = 0) {
            self.uri = uri
            self.index = index
            self.positionMs = positionMs
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("uri", p.uri("uri", value?.uri)),
                index: try p.int("index", value?.index, in: 0...(p.limits.queueLength - 1), default: 0),
                positionMs: try p.int("posMs", value?.positionMs, in: 0...ParameterRange.longestMs, default: 0))
        }

        package var request: Request { .listening(.only(uri, index: index, positionMs: positionMs)) }
    }

    /// Says that this client plays the room's sound, and how well; asks where the room is heard.
    public struct ListenHere: HubRequest {
        public typealias Answer = ListeningAnswer

        public static let kind = RequestKind.listenHere
        /// False ends what it said before.
        public var isOn: Bool
        /// Asks where the current and the next entry can be had.
        public var media: Bool
        /// How their bytes are wanted.
        public var quality: ListeningQuality
        public var report: ListenerReport

        public init(
            on isOn: Bool = true, media: Bool = false, quality: ListeningQuality = .auto, report: ListenerReport = .init()
        ) {
            self.isOn = isOn
            self.media = media
            self.quality = quality
            self.report = report
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                on: try p.bool("on", value?.isOn, default: true), media: try p.bool("media", value?.media, default: false),
                quality: try p.choice("quality", value?.quality, default: .auto),
                report: ListenerReport(
                    driftUs: try p.int("driftUs", value?.report.driftUs, in: ListenerReport.drifts),
                    delayMs: try p.int("delayMs", value?.report.delayMs, in: ListenerReport.delays),
                    bufferMs: try p.int("bufferMs", value?.report.bufferMs, in: ListenerReport.buffers),
                    starts: try p.int("starts", value?.report.starts, in: ListenerReport.startCounts)))
        }

        package var request: Request { .listening(isOn ? .here(report, media: media ? quality : nil) : .gone) }
    }

    /// Makes a link by which the room is heard as an endless stream, as by a radio or in a car.
    public struct ListenLink: HubRequest {
        public typealias Answer = MadeListenLink

        public static let kind = RequestKind.listenLink
        /// What it is for, as people tell links apart.
        public var name: String?

        public init(name: String? = nil) { self.name = name }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(name: try p.text("name", value?.name, bytes: 1...RoomLinks.longestName))
        }

        package var request: Request { .listening(.addLink(name: name ?? "")) }
    }

    /// The links of a room.
    public struct ListenLinks: HubRequest {
        public typealias Answer = ListenLinkList

        public static let kind = RequestKind.listenLinks

        public init() {}

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self { Self() }

        package var request: Request { .listening(.links) }
    }

    /// Takes a link back. Streams that it has opened end.
    public struct ListenRevoke: HubRequest {
        public static let kind = RequestKind.listenRevoke
        public var link: String

        public init(_ link: String) { self.link = link }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.required("link", p.token("link", value?.link, length: 1...32)))
        }

        package var request: Request { .listening(.removeLink(link)) }
    }
}
