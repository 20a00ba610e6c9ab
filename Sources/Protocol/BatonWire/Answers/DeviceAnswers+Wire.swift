import BatonCore
import BatonPairing
package import BatonProtocol

/// How `PairingWindow` and what belongs to it are written as JSON and read from it.
extension PairingWindow {
    package func encode(into writer: inout JSONWriter) {
        writer.object { window in
            window.member("pin", pin)
            window.member("role", role.rawValue)
            window.member("ttlMs", leftMs)
            // A client that takes no long messages shows no QR code either.
            if let address, window.left(of: .max, leaving: 16) > address.utf8.count { window.member("qr", address) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(
            pin: try fields.required("pin", fields.text("pin")), role: try fields.role("role"),
            leftMs: try fields.required("ttlMs", fields.int64("ttlMs")), address: try fields.text("qr"))
    }
}

extension DeviceList {
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { list in
            let written = list.member("list", rows, upTo: end, atLeast: 1) { row, list in list.object(row.encodeMembers) }
            let left = more + rows.count - written
            if left > 0 { list.member("more", left) }
            if isLocked { list.member("locked", true) }
            if let window { list.member("window", object: window.encodeMembers) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("list") else { throw fields.missing("list") }
        let (rows, more) = try fields.cappedList("list", Row.init(from:))
        self.init(
            rows, more: more, isLocked: try fields.bool("locked") ?? false,
            window: try fields.fields("window").map { window throws(ProtocolFault) in try Window(from: window) })
    }
}

extension DeviceList.Row {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("dev", id.text)
        writer.member("name", name)
        writer.member("role", role.rawValue)
        writer.member("kind", kind)
        writer.member("open", connections)
        writer.member("pairedMs", pairedMs)
        writer.member("seenMs", seenMs)
        writer.member("expiresMs", ifPresent: expiresMs)
        if let span { writer.member("span", span) }
        if person != .home { writer.member("person", person.text) }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            id: DeviceID(try fields.required("dev", fields.text("dev"))), name: try fields.text("name") ?? "",
            role: try fields.role("role"), kind: try fields.text("kind") ?? "", connections: try fields.count("open") ?? 0,
            pairedMs: try fields.int64("pairedMs") ?? 0, seenMs: try fields.int64("seenMs") ?? 0,
            expiresMs: try fields.int64("expiresMs"), span: try fields.span("span"),
            person: try fields.text("person").map { Person($0) } ?? .home)
    }
}

extension DeviceList.Window {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("role", role.rawValue)
        writer.member("leftMs", leftMs)
        writer.member("attempts", attempts)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            role: try fields.role("role"), leftMs: try fields.required("leftMs", fields.int64("leftMs")),
            attempts: try fields.count("attempts") ?? 0)
    }
}

extension NewDeviceKey {
    package func encode(into writer: inout JSONWriter) {
        writer.object { key in
            key.member("dev", device.text)
            key.member("salt", bytes: salt)
            key.member("wk", bytes: wrappedKey)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(
            device: DeviceID(try fields.required("dev", fields.text("dev"))),
            salt: try fields.required("salt", fields.bytes("salt", count: Self.saltBytes)),
            wrappedKey: try fields.required("wk", fields.bytes("wk", count: Self.wrappedBytes)))
    }
}

extension Ticket {
    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(try fields.required("ticket", fields.text("ticket")))
    }
}

extension Fields {
    /// A role that this version does not know is read as listener.
    fileprivate func role(_ name: String) throws(ProtocolFault) -> Role {
        Role(rawValue: try required(name, text(name))) ?? .listener
    }
}
