public import BatonCore

/// The one answer that every command gets.
public struct Reply: Equatable, Sendable {
    package static let type = "res"

    /// What became of the command.
    public enum Outcome: Equatable, Sendable {
        /// The state at `revision` includes the effect.
        case applied(why: Why? = nil)
        /// It was so already, or somebody else was faster: success for the person who asked.
        case noop(why: Why?)
        /// Takes longer; an `op` message of this name follows.
        case accepted(operation: String, why: Why? = nil)
        case failed(WireError)
        /// From a newer hub.
        case unrecognised(String)
    }

    /// What there is to say beside a success.
    public enum Why: Equatable, Sendable {
        /// `same`: it was so already. `moved`: somebody else was faster. `dup`: the answer that was given before.
        /// `ceiling`, `floor`: as far as the room's owner allows.
        case same, moved, dup, ceiling, floor
        case unrecognised(String)

        private static let known: [Why] = [.same, .moved, .dup, .ceiling, .floor]

        package init(name: String) { self = Self.known.first { $0.name == name } ?? .unrecognised(name) }

        public var name: String {
            switch self {
            case .same: "same"
            case .moved: "moved"
            case .dup: "dup"
            case .ceiling: "ceiling"
            case .floor: "floor"
            case .unrecognised(let name): name
            }
        }
    }

    /// The hub's clock when the command came in and just before this left: milliseconds for the watch,
    /// microseconds for everyone else.
    package struct Stamps: Equatable, Sendable {
        package var received: Int64
        package var sent: Int64

        package init(received: Int64, sent: Int64) {
            self.received = received
            self.sent = sent
        }
    }

    /// What a queue command made of the queue. With a conflict, the revision that stands.
    public struct QueueResult: Equatable, Sendable {
        public var revision: Int
        public var ids: [EntryID]?
        /// How many ids are left out, as when a whole library was added.
        public var more = 0

        /// Names at most as many ids as a list on the wire may hold.
        package init(revision: Int, ids: [EntryID]? = nil) {
            self.revision = revision
            self.ids = ids.map { Array($0.prefix(JSONLimits.standard.elements)) }
            more = (ids?.count ?? 0) - (self.ids?.count ?? 0)
        }
    }

    public var id: Int
    public var outcome: Outcome
    /// The state at this revision includes the effect.
    public var revision: Int?
    package var stamps: Stamps?
    public var queue: QueueResult?
    /// The result of a query, or what the command has made.
    public var data: ReplyData?

    package init(
        id: Int, _ outcome: Outcome, revision: Int? = nil, stamps: Stamps? = nil, queue: QueueResult? = nil, data: ReplyData? = nil
    ) {
        self.id = id
        self.outcome = outcome
        self.revision = revision
        self.stamps = stamps
        self.queue = queue
        self.data = data
    }

    /// What there is to add to a success: `dup` for an answer that was given before, `moved` where somebody was faster.
    public var why: Why? {
        switch outcome {
        case .applied(let why), .noop(let why), .accepted(_, let why): why
        case .failed, .unrecognised: nil
        }
    }

    public var isSuccess: Bool { if case .failed = outcome { false } else { true } }
}

extension Reply {
    /// Lists in `data` end where a page of `pageBytes` does; `encodedData` is written in its place. `inline` is the state
    /// that a profile with inline replies gets inside; `revision` is then that state's too.
    package func encode(
        into writer: inout JSONWriter, pageBytes: Int = WireLimits.standard.pageBytes,
        data encodedData: ((inout JSONWriter) -> Void)? = nil, inline: InlineState? = nil
    ) {
        writer.message(Self.type) { message in
            message.member("id", id)
            message.member("ok", isSuccess ? 1 : 0)
            outcome.encodeMembers(into: &message)
            message.member("rev", ifPresent: revision)
            if let stamps {
                message.member("rx", stamps.received)
                message.member("tx", stamps.sent)
            }
            if let queue { message.member("queue", object: queue.encodeMembers) }
            if let encodedData {
                message.name("d")
                encodedData(&message)
            } else if let data {
                message.name("d")
                data.encode(into: &message, bytes: pageBytes)
            }
            inline?.encodeMembers(into: &message)
        }
    }

    /// The state inside a reply.
    package struct InlineState: Equatable, Sendable {
        package var from: Int?
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
        id = try fields.required("id", fields.count("id"))
        outcome = try Outcome(from: fields)
        revision = try fields.count("rev")
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
        case .accepted(let operation, let why):
            writer.member("st", "accepted")
            writer.member("why", ifPresent: why?.name)
            writer.member("op", operation)
        case .unrecognised(let name): writer.member("st", name)
        case .failed(let error):
            writer.name("err")
            error.encode(into: &writer)
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
        case "accepted": self = .accepted(operation: try fields.required("op", fields.text("op")), why: why)
        case let name: self = .unrecognised(name)
        }
    }
}

extension Reply.QueueResult {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("rev", revision)
        if let ids { writer.member("ids", ids.map(\.text)) }
        if more > 0 { writer.member("more", more) }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        revision = try fields.required("rev", fields.count("rev"))
        ids = try fields.list("ids", count: 0...Int.max, of: "an entry's id") { $0.string.flatMap(EntryID.init(text:)) }
        more = try fields.count("more") ?? 0
    }
}
