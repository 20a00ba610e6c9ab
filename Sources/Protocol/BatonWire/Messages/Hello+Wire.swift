import BatonCore
package import BatonProtocol

/// The JSON form of `Hello` and its parts.
extension Hello {
    init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            versions: try fields.required("v", fields.list("v", count: 1...16, of: "a version number", Self.version)),
            profile: try fields.required("profile", fields.choice("profile")),
            client: try Client(from: fields.required("client", fields.fields("client"))),
            caps: try fields.list("caps", count: 0...32, of: "text of 1 to 32 bytes", Self.cap) ?? [],
            resume: try fields.fields("resume").map { resume throws(ProtocolFault) in try Resume(from: resume) },
            rooms: try fields.rooms(), role: try fields.choice("role"))
        longest = try fields.int("max", in: Self.longestRange)
        ticket = try fields.token("ticket", length: 16...64)
        user = try fields.token("user", length: 16...64)
        t1 = try fields.int64("t1")
    }

    private static func version(_ value: JSON) -> Int? {
        value.int.flatMap { 1...65_535 ~= $0 ? Int($0) : nil }
    }

    private static func cap(_ value: JSON) -> String? {
        value.string.flatMap { 1...32 ~= $0.utf8.count ? $0 : nil }
    }

    package func encode(into writer: inout JSONWriter) {
        writer.object { message in
            message.member("t", Self.type)
            message.member("v", array: { list in for version in versions { list.int(version) } })
            message.member("profile", profile.rawValue)
            message.member("client", object: client.encode)
            message.member("caps", caps)
            if let resume { message.member("resume", object: resume.encode) }
            if let rooms { message.member("rooms", rooms.map(\.text)) }
            message.member("role", ifPresent: role?.rawValue)
            message.member("max", ifPresent: longest)
            message.member("ticket", ifPresent: ticket)
            message.member("user", ifPresent: user)
            message.member("t1", ifPresent: t1)
        }
    }
}

extension Hello.Client {
    init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            id: try fields.required("id", fields.token("id", length: 4...64)),
            run: try fields.token("run", length: 1...32),
            name: try fields.string("name", bytes: 0...128) ?? "",
            app: try fields.string("app", bytes: 0...64) ?? "")
    }

    fileprivate func encode(into writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("run", ifPresent: run)
        if !name.isEmpty { writer.member("name", name) }
        if !app.isEmpty { writer.member("app", app) }
    }
}

extension Hello.Resume {
    init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            epoch: try fields.required("epoch", fields.token("epoch", length: 1...32)),
            revision: try fields.required("rev", fields.int("rev", in: 0...Int(JSON.largestNumber))),
            rooms: try fields.rooms() ?? [],
            // Sections of a later version are no fault, and are skipped.
            sections: SectionSet(try fields.list("sections", count: 0...64, of: "text", \.string)?.compactMap(Section.named) ?? []))
    }

    fileprivate func encode(into writer: inout JSONWriter) {
        writer.member("epoch", epoch)
        writer.member("rev", revision)
        writer.member("rooms", rooms.map(\.text))
        writer.member("sections", sections.map(\.name))
    }
}

extension Fields {
    /// Reads rooms. The hub checks later whether they exist.
    func rooms() throws(ProtocolFault) -> [RoomID]? {
        try list("rooms", count: 0...64, of: "a room's id") { value in
            value.string.flatMap { 1...64 ~= $0.utf8.count ? RoomID($0) : nil }
        }
    }
}
