import BatonPairing
import BatonProtocol

/// Commands about devices and windows, and what they answer. They change nothing that is journalled,
/// and nothing they say is kept: some of it is secret.
extension DeviceRegistry {
    func handle(_ request: DeviceRequest, for caller: Caller, _ hub: Hub) throws(ProtocolFault) -> (BatonProtocol.Reply.Outcome, [UInt8]?) {
        switch request {
        case .open(let role, let ttlMs, let forMs):
            let window = try openWindow(role: role, ttlMs: ttlMs, stayMs: forMs, byLocalAdmin: caller.isLocal)
            return (.applied(), JSONWriter.bytes { self.encode(window, hub, into: &$0) })
        case .close:
            guard window != nil else { return (.noop(why: .same), nil) }
            closeWindow()
            return (.applied(), nil)
        case .list(let from):
            return (.applied(), JSONWriter.bytes { self.encodeList(hub, from: from, into: &$0) })
        case .setRole(let id, let role, let guests):
            return (try setRole(of: id, role, guests), nil)
        case .rename(let id, let name):
            return (try change(id) { $0.name = name } ? .applied() : .noop(why: .same), nil)
        case .revoke(let id):
            try revoke(id)
            return (.applied(), nil)
        case .rotate:
            return (.applied(), try rotate(caller))
        case .ticket:
            guard caller.isLocal else { throw ProtocolFault(.forbidden, "A link for this machine can only be asked for on this machine.") }
            let ticket = issueTicket()
            return (.applied(), JSONWriter.bytes { $0.object { $0.member("ticket", ticket) } })
        }
    }

    private func setRole(of id: DeviceID, _ role: Role, _ guests: DeviceRequest.Guests) throws(ProtocolFault) -> BatonProtocol.Reply.Outcome
    {
        if table[id]?.isBrowser == true, role == .admin {
            throw ProtocolFault(.forbidden, "A browser can be no admin: nobody can tell who stands between it and the hub.", at: "/p/role")
        }
        let nowMs = wallMs()
        let isNew = try change(id) { device in
            device.role = role
            device.span = role == .guest ? guests.span ?? device.span : nil
            device.expiresMs = guests.forMs.map { nowMs + Int64($0) }
        }
        // Its sessions learn their new role by coming back.
        if isNew { endSessions?(id, .restarting, ProtocolFault(.invalidState, "The hub's owner has changed what this device may do.")) }
        return isNew ? .applied() : .noop(why: .same)
    }

    /// A new key, readable only with the old one. The old one counts until the new one is first used,
    /// since this answer may be lost.
    private func rotate(_ caller: Caller) throws(ProtocolFault) -> [UInt8] {
        guard let id = caller.paired, case .key(let key, _)? = table[id]?.proof else {
            throw ProtocolFault(.invalidState, "Only a device that was paired has a key to change.")
        }
        let fresh = cryptography.random(DeviceProof.keyBytes)
        let salt = cryptography.random(16)
        _ = try change(id) { $0.proof = .key(key, next: fresh) }
        let wrapping = cryptography.hkdfSHA256(key, salt: salt, info: Array("baton-rotate".utf8), count: 32)
        let wrapped = cryptography.seal(fresh, key: wrapping, nonce: [UInt8](repeating: 0, count: 12))
        return JSONWriter.bytes { writer in
            writer.object {
                $0.member("dev", id.text)
                $0.member("salt", bytes: salt)
                $0.member("wk", bytes: wrapped)
            }
        }
    }

    /// What the square holds: a browser opens the hub's page by it, and a program finds everything
    /// that it needs in the part that browsers keep to themselves.
    private func encode(_ window: PairingAttempts.Window, _ hub: Hub, into writer: inout JSONWriter) {
        writer.object { answer in
            answer.member("pin", window.pin)
            answer.member("role", window.role.rawValue)
            answer.member("ttlMs", (window.untilUs - hub.reactor.nowUs) / 1000)
            if let address = addresses.first {
                let parts = [
                    "pair=\(Base64URL.text(window.token))", "id=\(hub.identity.id)", "fp=\(Base64URL.text(hubKey))",
                ]
                answer.member("qr", "https://\(address)/#" + parts.joined(separator: "&"))
            }
        }
    }

    private func encodeList(_ hub: Hub, from: Int, into writer: inout JSONWriter) {
        let end = writer.count + hub.limits.pageBytes
        let devices = table.devices.sorted { $0.pairedMs < $1.pairedMs }.dropFirst(from)
        let open = Dictionary(hub.subscribers.sessions.compactMap { $0.caller.paired.map { ($0, 1) } }, uniquingKeysWith: +)
        writer.object { answer in
            let written = answer.member("list", devices, upTo: end) { device, list in
                list.object { device.describe(open[device.id] ?? 0, into: &$0) }
            }
            if written < devices.count { answer.member("more", devices.count - written) }
            if isLocked { answer.member("locked", true) }
            if let window {
                answer.member(
                    "window",
                    object: {
                        $0.member("role", window.role.rawValue)
                        $0.member("leftMs", (window.untilUs - hub.reactor.nowUs) / 1000)
                        $0.member("attempts", window.attemptsLeft)
                    })
            }
        }
    }
}

extension Device {
    fileprivate func describe(_ connections: Int, into writer: inout JSONWriter) {
        writer.member("dev", id.text)
        writer.member("name", name)
        writer.member("role", role.rawValue)
        writer.member("kind", isBrowser ? "browser" : "device")
        writer.member("open", connections)
        writer.member("pairedMs", pairedMs)
        writer.member("seenMs", seenMs)
        writer.member("expiresMs", ifPresent: expiresMs)
        if let span { writer.member("span", span) }
    }
}
