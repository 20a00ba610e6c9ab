package import BatonCore
package import BatonProtocol

/// The JSON form of `Reply` and its parts.
extension Reply {
    /// Lists in `data` end at the limit of a page, `pageBytes`; `encodedData` replaces `data`. `inline` is the state for views that get
    /// it inside the reply, and then also sets `revision`. `stamps` replaces the reply's own.
    package func encode(
        into writer: inout JSONWriter, stamps: Stamps? = nil, pageBytes: Int = WireLimits.standard.pageBytes,
        data encodedData: ((inout JSONWriter) -> Void)? = nil, inline: InlineState? = nil
    ) {
        writer.message(Self.type) { message in
            message.member("id", id)
            message.member("ok", isSuccess ? 1 : 0)
            outcome.encodeMembers(into: &message)
            message.member("rev", ifPresent: revision)
            if let stamps = stamps ?? self.stamps {
                message.member("rx", stamps.received)
                message.member("tx", stamps.sent)
            }
            if let queue { message.member("queue", object: queue.encodeMembers) }
            if let encodedData {
                message.name("d")
                encodedData(&message)
            } else if let data {
                message.name("d")
                data.write(to: &message, bytes: message.left(of: pageBytes, leaving: Self.closingBytes))
            }
            inline?.encodeMembers(into: &message)
        }
    }

    /// Bytes behind the rows of a page: the number of rows left out, and the cursor of the next page.
    private static let closingBytes = 48

    /// The state inside a reply.
    package struct InlineState: Equatable, Sendable {
        /// The revision that the client has before this reply; it takes the sections only if that is its own.
        package var from: Int?
        /// The room of the sections; `nil` for a client that follows one room.
        package var room: RoomID?
        package var sections: [EncodedSection]

        package init(from: Int?, room: RoomID? = nil, sections: [EncodedSection]) {
            self.from = from
            self.room = room
            self.sections = sections
        }

        fileprivate func encodeMembers(into writer: inout JSONWriter) {
            writer.member("from", ifPresent: from)
            writer.member("room", ifPresent: room?.text)
            writer.member("s", object: { for section in sections { section.encode(into: &$0) } })
        }
    }

    init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            id: try fields.required("id", fields.count("id")), try Outcome(from: fields), revision: try fields.count("rev"))
        let received = try fields.int64("rx")
        let sent = try fields.int64("tx")
        if let received, let sent { stamps = Stamps(received: received, sent: sent) }
        queue = try fields.fields("queue").map { queue throws(ProtocolFault) in try QueueResult(from: queue) }
    }
}

extension Reply.Outcome {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        switch self {
        case .applied(let why):
            writer.member("st", "applied")
            writer.member("why", ifPresent: why?.name)
        case .noop(let why):
            writer.member("st", "noop")
            writer.member("why", ifPresent: why?.name)
        case .unrecognised(let name): writer.member("st", name)
        case .failed(let error): writer.member("err", object: error.encodeMembers)
        }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        guard try fields.flag("ok") else {
            self = .failed(try WireError(from: fields.required("err", fields.fields("err"))))
            return
        }
        let why = try fields.text("why").map(Reply.Why.init(name:))
        switch try fields.required("st", fields.text("st")) {
        case "applied": self = .applied(why: why)
        case "noop": self = .noop(why: why)
        case let name: self = .unrecognised(name)
        }
    }
}

extension JSONWriter {
    /// The ids of new entries that fit, and the number of those left out.
    mutating func members(_ ids: [EntryID]?, more: Int) {
        guard let ids else { return }
        let written = member("ids", ids, upTo: end(leaving: 32)) { $1.string($0.text) }
        let left = more + ids.count - written
        if left > 0 { member("more", left) }
    }
}

extension Reply.QueueResult {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("rev", revision)
        writer.members(ids, more: more)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            revision: try fields.required("rev", fields.count("rev")),
            ids: try fields.entries("ids", count: 0...Int.max))
        more = try fields.count("more") ?? 0
    }
}
