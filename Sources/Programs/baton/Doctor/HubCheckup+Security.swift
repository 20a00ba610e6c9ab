import BatonCore
import BatonProtocol

/// Findings about the hub's security: its certificate, the firewall, and the paired devices with the time when each was last
/// connected.
extension HubCheckup {
    var security: [Finding] {
        guard let diagnostics = info.diagnostics else { return [] }
        let port = diagnostics.listen.last { $0.hasPrefix("wss://") }.flatMap { $0.split(separator: ":").last }.flatMap { UInt16($0) }
        return (diagnostics.certificate.map { [certificate($0)] } ?? [])
            + (firewall.flatMap { $0.finding(tlsPort: port) }.map { [$0] } ?? [])
            + paired
    }

    /// The hub's wall clock, by which the days of its certificate are counted.
    private var hubMs: Milliseconds { info.wallMs ?? wallMs }

    private static let dayMs: Milliseconds = 86_400_000
    /// Days of validity below which a certificate is reported. The hub normally renews it long before.
    private static let fewDays: Int64 = 14

    private func certificate(_ shown: HubDiagnostics.Certificate) -> Finding {
        let days = (shown.untilMs - hubMs) / Self.dayMs
        let advice = "Set the hub's time of day (timedatectl set-ntp true) and start it again: it makes a new one, under the same key."
        guard shown.untilMs > hubMs else { return .fail("certificate", "It has ended, so browsers refuse the hub.", advice: advice) }
        guard days >= Self.fewDays else { return .warn("certificate", "It ends in \(days) days and was not made anew.", advice: advice) }
        return .ok("certificate", "For \(shown.names.joined(separator: ", ")); \(days) days more. Its root: \(shown.root)")
    }

    // MARK: Paired devices

    private static let longAgoMs: Milliseconds = dayMs * 180
    private static let mostDevices = 12

    private var paired: [Finding] {
        guard let devices else {
            return endpoint.isSecure ? [.ok("devices", "This machine is paired; only an admin sees who else is.")] : []
        }
        var findings = devices.rows.prefix(Self.mostDevices).map(device)
        let more = devices.rows.count - Self.mostDevices
        if more > 0 { findings.append(.ok("device", "And \(more) more: baton devices")) }
        if devices.rows.isEmpty { findings.append(.ok("devices", "None is paired. Let one in: baton pair --open")) }
        if devices.isLocked {
            findings.append(
                .warn(
                    "pairing", "Too many wrong codes were tried, so no device can be paired.",
                    advice:
                        "Open it again on the hub's machine: baton pair --open. If you did not type them, another person tried to guess the code."
                ))
        }
        return findings
    }

    private func device(_ device: DeviceList.Row) -> Finding {
        let who = "“\(device.name)”, \(device.role.rawValue), \(device.seen(nowMs: hubMs))."
        guard device.connections == 0 else { return .ok("device", who) }
        let revoke = "If it is gone for good: baton devices revoke \(device.id)"
        if let expiresMs = device.expiresMs, expiresMs <= hubMs { return .ok("device", who + " Its time here is over.") }
        return hubMs - device.seenMs < Self.longAgoMs ? .ok("device", who) : .warn("device", who, advice: revoke)
    }
}
