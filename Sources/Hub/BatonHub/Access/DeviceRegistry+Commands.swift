import BatonCore
import BatonPairing
import BatonProtocol
import BatonSeams

/// Commands about devices and windows, and what they answer. They change nothing that is journalled,
/// and nothing they say is kept: some of it is secret.
extension DeviceRegistry {
    func handle(_ request: DeviceRequest, for caller: Identity) throws(ProtocolFault) -> (BatonProtocol.Reply.Outcome, ReplyData?) {
        switch request {
        case .open(let role, let ttlMs, let forMs):
            let window = try openWindow(role: role, ttlMs: ttlMs, stayMs: forMs, byLocalAdmin: caller.isLocal)
            return (.applied(), .pairingWindow(describe(window)))
        case .close:
            guard window != nil else { return (.noop(why: .same), nil) }
            closeWindow()
            return (.applied(), nil)
        case .list(let from):
            return (.applied(), .devices(list(from: from)))
        case .setRole(let id, let role, let guests):
            return (try setRole(of: id, role, guests), nil)
        case .rename(let id, let name):
            return (try change(id) { $0.name = name } ? .applied() : .noop(why: .same), nil)
        case .setPerson(let id, let person): return (try setPerson(of: id, person), nil)
        case .revoke(let id):
            try revoke(id)
            return (.applied(), nil)
        case .rotate:
            return (.applied(), .deviceKey(try rotate(caller)))
        case .ticket:
            guard caller.isLocal else { throw ProtocolFault(.forbidden, "A link for this machine can only be asked for on this machine.") }
            return (.applied(), .ticket(Ticket(text: issueTicket())))
        }
    }

    private func setRole(of id: DeviceID, _ role: Role, _ guests: DeviceRequest.Guests) throws(ProtocolFault) -> BatonProtocol.Reply.Outcome
    {
        if table[id]?.isBrowser == true, role == .admin {
            throw ProtocolFault(
                .forbidden, "A browser cannot be an admin, because another machine could intercept its connection unnoticed.", at: "/p/role"
            )
        }
        let nowMs = wallMs()
        let isNew = try change(id) { device in
            device.role = role
            device.span = role == .guest ? guests.span ?? device.span : nil
            device.expiresMs = guests.forMs.map { nowMs + Int64($0) }
        }
        // Its sessions learn their new role by coming back.
        if isNew { dialects?.end(id, ProtocolFault(.invalidState, "The hub's owner has changed what this device may do.")) }
        return isNew ? .applied() : .noop(why: .same)
    }

    private func setPerson(of id: DeviceID, _ person: Person) throws(ProtocolFault) -> BatonProtocol.Reply.Outcome {
        guard !person.isUser else {
            throw ProtocolFault(
                .badRequest, "Names with @ in front are those of users. Link the device instead: baton user link.", at: "/p/person")
        }
        guard try change(id, { $0.person = person }) else { return .noop(why: .same) }
        // Its sessions learn by coming back whose places they move.
        dialects?.end(id, ProtocolFault(.invalidState, "The hub's owner has changed whose device this is."))
        return .applied()
    }

    /// A new key, readable only with the old one. The old one counts until the new one is first used,
    /// since this answer may be lost.
    private func rotate(_ caller: Identity) throws(ProtocolFault) -> NewDeviceKey {
        guard let id = caller.device, case .key(let key, _)? = table[id]?.proof else {
            throw ProtocolFault(.invalidState, "Only a device that was paired has a key to change.")
        }
        let fresh = cryptography.random(DeviceProof.keyBytes)
        let salt = cryptography.random(NewDeviceKey.saltBytes)
        _ = try change(id) { $0.proof = .key(key, next: fresh) }
        let wrapping = cryptography.hkdfSHA256(key, salt: salt, info: Array("baton-rotate".utf8), count: 32)
        let wrapped = cryptography.seal(fresh, key: wrapping, nonce: [UInt8](repeating: 0, count: 12))
        return NewDeviceKey(device: id, salt: salt, wrappedKey: wrapped)
    }

    /// The address is what a QR code holds: a browser opens the hub's page by it, and a program finds everything that it
    /// needs in the part that browsers keep to themselves.
    private func describe(_ window: OpenPairing) -> PairingWindow {
        let parts = ["pair=\(Base64URL.text(window.token))", "id=\(hubID)", "fp=\(Base64URL.text(hubKey))"]
        return PairingWindow(
            pin: window.pin, role: window.role, leftMs: (window.untilUs - reactor.nowUs) / 1000,
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
            DeviceList.Window(role: $0.role, leftMs: ($0.untilUs - reactor.nowUs) / 1000, attempts: $0.attemptsLeft)
        }
        return DeviceList(rows, isLocked: isLocked, window: window)
    }
}
