import BatonProtocol

/// What a visit tells of the hub's safety: its certificate, what keeps others from its ports, and who
/// was let in and when each was last here.
extension HubCheckup {
    var security: [Finding] {
        guard let diagnostics = info.diagnostics else { return [] }
        let port = diagnostics.listen.last { $0.hasPrefix("wss://") }.flatMap { $0.split(separator: ":").last }.flatMap { UInt16($0) }
        return (diagnostics.certificate.map { [certificate($0)] } ?? [])
            + (firewall.flatMap { $0.finding(tlsPort: port) }.map { [$0] } ?? [])
            + paired
    }

    /// The hub's own time of day: its days are counted by it.
    private var hubMs: Int64 { info.wallMs ?? wallMs }

    private static let dayMs: Int64 = 86_400_000
    /// The hub makes a new one long before this.
    private static let fewDays: Int64 = 14

    private func certificate(_ shown: HubDiagnostics.Certificate) -> Finding {
        let days = (shown.untilMs - hubMs) / Self.dayMs
        let advice = "Set the hub's time of day (timedatectl set-ntp true) and start it again: it makes a new one, under the same key."
        guard shown.untilMs > hubMs else { return .fail("certificate", "It has ended, so browsers refuse the hub.", advice) }
        guard days >= Self.fewDays else { return .warn("certificate", "It ends in \(days) days and was not made anew.", advice) }
        return .ok("certificate", "For \(shown.names.joined(separator: ", ")); \(days) days more. Its root: \(shown.root)")
    }

    // MARK: Who was let in

    private static let longAgoMs: Int64 = 180 * dayMs
    private static let mostDevices = 12

    private var paired: [Finding] {
        guard let devices else {
            return endpoint.isSecure ? [.ok("devices", "This machine is paired; only an admin sees who else is.")] : []
        }
        var findings = devices.list.prefix(Self.mostDevices).map(device)
        let more = devices.list.count - Self.mostDevices
        if more > 0 { findings.append(.ok("device", "And \(more) more: baton devices")) }
        if devices.list.isEmpty { findings.append(.ok("devices", "None is paired. Let one in: baton pair --open")) }
        if devices.isLocked {
            findings.append(
                .warn(
                    "pairing", "Too many wrong codes were tried, so nobody can be paired.",
                    "Open it again on the hub's machine: baton pair --open. If it was not you, somebody near you was guessing."))
        }
        return findings
    }

    private func device(_ device: ListedDevice) -> Finding {
        let who = "“\(device.name)”, \(device.role), \(device.seen(nowMs: hubMs))."
        guard device.connections == 0 else { return .ok("device", who) }
        let revoke = "If it is gone for good: baton devices revoke \(device.id)"
        if let expiresMs = device.expiresMs, expiresMs <= hubMs { return .ok("device", who + " Its time here is over.") }
        return hubMs - device.seenMs < Self.longAgoMs ? .ok("device", who) : .warn("device", who, revoke)
    }
}
