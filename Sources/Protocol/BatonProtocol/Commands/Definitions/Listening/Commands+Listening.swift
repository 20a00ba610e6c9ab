import BatonCore

/// Commands of devices that play the sound of a room themselves.
extension Commands {
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
}

extension Commands.ListenOnly: HubRequest {
    public typealias Answer = CreatedRoom
    package var request: Request { .listening(.only(uri, index: index, positionMs: positionMs)) }
}
extension Commands.ListenLink: HubRequest {
    public typealias Answer = MadeListenLink
    package var request: Request { .listening(.addLink(name: name ?? "")) }
}
extension Commands.ListenLinks: HubRequest {
    public typealias Answer = ListenLinkList
    package var request: Request { .listening(.links) }
}
extension Commands.ListenRevoke: HubRequest { package var request: Request { .listening(.removeLink(link)) } }
