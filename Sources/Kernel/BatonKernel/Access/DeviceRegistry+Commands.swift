import BatonCore
import BatonProtocol
import BatonSeams

/// Commands about devices and pairing windows. They change nothing in the journal, and their answers are never written, since
/// some are secret.
extension DeviceRegistry {
    /// Registers the commands.
    func install(in commands: CommandTable, _ ledger: Ledger) {
        commands.answer(Commands.PairOpen.self) { [self] command, accepted throws(ProtocolFault) in
            let window = try openWindow(
                role: command.role, ttlMs: command.ttlMs, stayMs: command.forMs, byLocalAdmin: accepted.identity.isLocal)
            return ledger.found(describe(window), for: accepted)
        }
        commands.answer(Commands.PairClose.self) { [self] _, accepted throws(ProtocolFault) in
            let isOpen = window != nil
            if isOpen { closeWindow() }
            return ledger.done(isOpen, for: accepted)
        }
        commands.answer(Commands.Devices.self) { [self] command, accepted throws(ProtocolFault) in
            ledger.found(list(from: command.from), for: accepted)
        }
        commands.answer(Commands.DeviceRole.self) { [self] command, accepted throws(ProtocolFault) in
            ledger.done(try setRole(command), for: accepted)
        }
        commands.answer(Commands.DeviceRename.self) { [self] command, accepted throws(ProtocolFault) in
            ledger.done(try change(command.device) { $0.name = command.name }, for: accepted)
        }
        commands.answer(Commands.DevicePerson.self) { [self] command, accepted throws(ProtocolFault) in
            ledger.done(try setPerson(of: command.device, command.person), for: accepted)
        }
        commands.answer(Commands.DeviceRevoke.self) { [self] command, accepted throws(ProtocolFault) in
            try revoke(command.device)
            return ledger.done(true, for: accepted)
        }
        commands.answer(Commands.DeviceRotate.self) { [self] _, accepted throws(ProtocolFault) in
            ledger.found(try rotate(accepted.identity), for: accepted)
        }
        commands.answer(Commands.NewTicket.self) { [self] _, accepted throws(ProtocolFault) in
            guard accepted.identity.isLocal else {
                throw ProtocolFault(.forbidden, "A link for this machine can only be asked for on this machine.")
            }
            return ledger.found(Ticket(text: issueTicket()), for: accepted)
        }
    }

    /// The window as its owner sees it. Its address is the content of a QR code: a browser opens the hub's page with it, and
    /// a program reads its parameters from the fragment.
    private func describe(_ window: OpenPairing) -> PairingWindow {
        let parts = ["pair=\(Base64URL.text(window.token))", "id=\(hubID)", "fp=\(Base64URL.text(hubKey))"]
        return PairingWindow(
            pin: window.pin, role: window.role, leftMs: Milliseconds(window.untilUs - reactor.nowUs),
            address: addresses.first.map { "https://\($0)/#" + parts.joined(separator: "&") })
    }

    private func list(from: Int) -> DeviceList {
        let open = dialects?.connectionsByDevice ?? [:]
        let rows = table.devices.sorted { $0.pairedMs < $1.pairedMs }.dropFirst(from).map { device in
            DeviceList.Row(
                id: device.id, name: device.name, role: device.role, kind: device.isBrowser ? "browser" : "device",
                connections: open[device.id] ?? 0, pairedMs: device.pairedMs, seenMs: device.seenMs, expiresMs: device.expiresMs,
                span: device.span, person: device.person)
        }
        let window = window.map {
            DeviceList.Window(role: $0.role, leftMs: Milliseconds($0.untilUs - reactor.nowUs), attempts: $0.attemptsLeft)
        }
        return DeviceList(rows, isLocked: isLocked, window: window)
    }
}
