import BatonCore

// How the hub carries out commands about devices that play the sound of a room themselves.

extension Commands.ListenOnly: HubRequest {
    package var request: Request { .listening(.only(uri, index: index, positionMs: positionMs)) }
}

extension Commands.ListenLink: HubRequest {
    package var request: Request { .listening(.addLink(name: name ?? "")) }
}

extension Commands.ListenLinks: HubRequest {
    package var request: Request { .listening(.links) }
}

extension Commands.ListenRevoke: HubRequest { package var request: Request { .listening(.removeLink(link)) } }

extension Commands.ListenHere: HubRequest {
    public init(isOn: Bool = true, media: Bool = false, quality: ListeningQuality = .auto, report: ListenerReport) {
        self.init(
            isOn: isOn, media: media, quality: quality, driftUs: report.driftUs, delayMs: report.delayMs, bufferMs: report.bufferMs,
            starts: report.starts)
    }

    package var request: Request {
        let report = ListenerReport(driftUs: driftUs, delayMs: delayMs, bufferMs: bufferMs, starts: starts)
        return .listening(isOn ? .here(report, media: media ? quality : nil) : .gone)
    }
}
