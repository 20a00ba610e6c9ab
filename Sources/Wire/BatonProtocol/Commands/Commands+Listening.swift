/// The command for the report of a device that plays along.
extension Commands.ListenHere {
    /// The command with the numbers of a report, which the wire carries as separate parameters.
    public init(isOn: Bool = true, media: Bool = false, quality: ListeningQuality = .auto, report: ListenerReport) {
        self.init(
            isOn: isOn, media: media, quality: quality, driftUs: report.driftUs, delayMs: report.delayMs, bufferMs: report.bufferMs,
            starts: report.starts)
    }

    package var report: ListenerReport { ListenerReport(driftUs: driftUs, delayMs: delayMs, bufferMs: bufferMs, starts: starts) }
}

extension Commands.ReadLog {
    /// Number of lines in one request of a client that follows the log.
    package static let mostOfFollowers = 200
}

extension Commands.WorkerAdd {
    /// True if it names files on the hub's machine, or runs a program without confinement.
    package var reachesFiles: Bool { program != nil || !isConfined || map != nil }
}
