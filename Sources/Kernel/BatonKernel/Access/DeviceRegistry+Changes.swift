import BatonCore
import BatonProtocol
import BatonSeams

/// Changes of paired devices: of their roles, their persons and their keys.
extension DeviceRegistry {
    /// Gives a device another role, a volume range, or a time at which its access ends. False when nothing changed.
    func setRole(_ command: Commands.DeviceRole) throws(ProtocolFault) -> Bool {
        let (id, role) = (command.device, command.role)
        if table[id]?.isBrowser == true, role == .admin {
            throw ProtocolFault(
                .forbidden, "A browser cannot be an admin, because another machine could intercept its connection unnoticed.", at: "/p/role"
            )
        }
        let nowMs = wallMs()
        let isNew = try change(id) { device in
            device.role = role
            device.span = role == .guest ? command.span ?? device.span : nil
            device.expiresMs = command.forMs.map { nowMs + $0 }
        }
        // The device's sessions reconnect with the new role.
        if isNew { dialects?.end(id, ProtocolFault(.invalidState, "The hub's owner has changed what this device may do.")) }
        return isNew
    }

    /// Notes the person of a device. False when nothing changed.
    func setPerson(of id: DeviceID, _ person: Person) throws(ProtocolFault) -> Bool {
        guard !person.isUser else {
            throw ProtocolFault(
                .badRequest, "Names with @ in front are those of users. Link the device instead: baton user link.", at: "/p/person")
        }
        guard try change(id, { $0.person = person }) else { return false }
        // The device's sessions reconnect as the new user.
        dialects?.end(id, ProtocolFault(.invalidState, "The hub's owner has changed whose device this is."))
        return true
    }

    /// Length of the salt for the key that encrypts the new one.
    private static let saltBytes = 16

    /// A new key, readable only with the old one. The old one counts until the new one is first used,
    /// since this answer may be lost.
    func rotate(_ caller: Identity) throws(ProtocolFault) -> NewDeviceKey {
        guard let id = caller.device, case .key(let key, _)? = table[id]?.proof else {
            throw ProtocolFault(.invalidState, "Only a device that was paired has a key to change.")
        }
        let fresh = cryptography.random(DeviceProof.keyBytes)
        let salt = cryptography.random(Self.saltBytes)
        _ = try change(id) { $0.proof = .key(key, next: fresh) }
        let wrapping = cryptography.hkdfSHA256(key, salt: salt, info: Array("baton-rotate".utf8), count: 32)
        let wrapped = cryptography.seal(fresh, key: wrapping, nonce: [UInt8](repeating: 0, count: 12))
        return NewDeviceKey(device: id, salt: salt, wrappedKey: wrapped)
    }
}
