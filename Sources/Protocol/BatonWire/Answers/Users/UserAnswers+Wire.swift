package import BatonCore
package import BatonProtocol

/// How the answers about users are written as JSON and read from it.
extension SignedInUser {
    package func encode(into writer: inout JSONWriter) {
        writer.object { answer in
            answer.member("user", user)
            answer.member("role", role.rawValue)
            answer.member("token", ifPresent: token)
            answer.member("session", session)
            answer.member("expiresMs", ifPresent: expiresMs)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(
            user: try fields.required("user", fields.text("user")), role: try fields.knownRole("role"), token: try fields.text("token"),
            session: try fields.required("session", fields.text("session")), expiresMs: try fields.int64("expiresMs"))
    }
}

extension OwnUser {
    package func encode(into writer: inout JSONWriter) {
        writer.object { answer in
            answer.member("user", ifPresent: user)
            answer.member("role", role.rawValue)
            answer.member("session", ifPresent: session)
            if isGuest { answer.member("guest", true) }
            answer.member("expiresMs", ifPresent: expiresMs)
            answer.member("signup", signUp)
            answer.member("guests", guests)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(
            user: try fields.text("user"), role: try fields.knownRole("role"), session: try fields.text("session"),
            isGuest: try fields.bool("guest") ?? false, expiresMs: try fields.int64("expiresMs"),
            signUp: try fields.text("signup") ?? "off", guests: try fields.text("guests") ?? "off")
    }
}

extension RoomControl {
    package func encode(into writer: inout JSONWriter) {
        writer.object { answer in
            answer.member("who", who.rawValue)
            if !names.isEmpty { answer.member("users", names) }
        }
    }

    /// A rule of a later version is read as the strictest.
    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(
            Who(rawValue: try fields.required("who", fields.text("who"))) ?? .named,
            names: try fields.list("users", count: 0...Int.max, of: "a name", \.string) ?? [])
    }
}

extension SharedPlaylist {
    package func encode(into writer: inout JSONWriter) {
        writer.object { answer in
            answer.member("share", sharing.rawValue)
            answer.member("link", ifPresent: link)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(
            PlaylistSharing(rawValue: try fields.required("share", fields.text("share"))) ?? .private, link: try fields.text("link"))
    }
}

extension UserList {
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { list in
            let written = list.member("list", rows, upTo: end, atLeast: 1) { row, list in list.object(row.encodeMembers) }
            let left = more + rows.count - written
            if left > 0 { list.member("more", left) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("list") else { throw fields.missing("list") }
        let (rows, more) = try fields.cappedList("list", Row.init(from:))
        self.init(rows, more: more)
    }
}

extension UserList.Row {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("user", user)
        writer.member("role", role.rawValue)
        writer.member("createdMs", createdMs)
        writer.member("sessions", sessions)
        if isGuest { writer.member("guest", true) }
        if waits { writer.member("waits", true) }
        writer.member("expiresMs", ifPresent: expiresMs)
        if !devices.isEmpty { writer.member("devices", devices.map(\.text)) }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            user: try fields.required("user", fields.text("user")), role: try fields.knownRole("role"),
            createdMs: try fields.int64("createdMs") ?? 0, sessions: try fields.count("sessions") ?? 0,
            isGuest: try fields.bool("guest") ?? false, waits: try fields.bool("waits") ?? false,
            expiresMs: try fields.int64("expiresMs"),
            devices: try fields.list("devices", count: 0...Int.max, of: "a device", \.string)?.map { DeviceID($0) } ?? [])
    }
}

extension UserSessionList {
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { list in
            let written = list.member("list", rows, upTo: end, atLeast: 1) { row, list in list.object(row.encodeMembers) }
            let left = more + rows.count - written
            if left > 0 { list.member("more", left) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("list") else { throw fields.missing("list") }
        let (rows, more) = try fields.cappedList("list", Row.init(from:))
        self.init(rows, more: more)
    }
}

extension UserSessionList.Row {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("session", session)
        writer.member("createdMs", createdMs)
        if !address.isEmpty { writer.member("from", address) }
        if isHere { writer.member("here", true) }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            session: try fields.required("session", fields.text("session")), createdMs: try fields.int64("createdMs") ?? 0,
            address: try fields.text("from") ?? "", isHere: try fields.bool("here") ?? false)
    }
}

extension ExportedRows: NumberedList {
    package static var member: StaticString { "rows" }
}

extension PersonRow: ListedRow {
    package func encodeMembers(into writer: inout JSONWriter) {
        writer.member("kind", kind)
        for member in members {
            writer.name(verbatim: member.name)
            switch member.value {
            case .text(let text): writer.string(text)
            case .number(let number): writer.int(number)
            case .yes(let flag): writer.bool(flag)
            }
        }
    }

    /// Members of a later version that are neither text nor numbers are left out.
    package init(from fields: Fields) throws(ProtocolFault) {
        let members = fields.object.members.compactMap { member -> Member? in
            switch member.value {
            case .string(let text) where member.name != "kind": Member(member.name, .text(text))
            case .int(let number): Member(member.name, .number(number))
            case .bool(let flag): Member(member.name, .yes(flag))
            default: nil
            }
        }
        self.init(try fields.required("kind", fields.text("kind")), members)
    }
}

extension Fields {
    /// A role that this version does not know is read as listener.
    fileprivate func knownRole(_ name: String) throws(ProtocolFault) -> Role {
        Role(rawValue: try required(name, text(name))) ?? .listener
    }
}
