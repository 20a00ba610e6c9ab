public import BatonCore
import BatonJSON

/// The answer to a command; every command gets one.
public struct Reply: Equatable, Sendable {
    package static let type = "res"

    /// The result of the command.
    public enum Outcome: Equatable, Sendable {
        /// The state at `revision` includes the effect.
        case applied(why: Why? = nil)
        /// No change: it was so already, or another remote was faster. A success for the person who asked.
        case noop(why: Why?)
        case failed(WireError)
        /// An outcome of a newer hub.
        case unrecognised(String)
    }

    public typealias Why = Remark

    /// The hub's clock when the command arrived and just before this was sent: milliseconds for the watch, microseconds for all others.
    package struct Stamps: Equatable, Sendable {
        /// The time at which the whole command had arrived.
        package var received: Int64
        /// The time just before the answer was written, after all waits for a source or a disk.
        package var sent: Int64

        package init(received: Int64, sent: Int64) {
            self.received = received
            self.sent = sent
        }
    }

    /// The queue after a queue command. After a conflict, its current revision.
    public struct QueueResult: Equatable, Sendable {
        /// The revision of the queue itself, which a client sends as `base` of its next edit.
        public var revision: Int
        /// Ids of the entries that the command added, in order; `nil` if it added none.
        public var ids: [EntryID]?
        /// Number of ids that are left out, for example after a whole library was added.
        public var more = 0

        /// Takes at most as many ids as a list on the wire may contain.
        package init(revision: Int, ids: [EntryID]? = nil) {
            self.revision = revision
            self.ids = ids.map { Array($0.prefix(JSONLimits.standard.elements)) }
            more = (ids?.count ?? 0) - (self.ids?.count ?? 0)
        }
    }

    /// The number that the client gave to its command, which is unique on one connection.
    public var id: Int
    /// The result, which decides how a client reads all other members.
    public var outcome: Outcome
    /// The state at this revision includes the effect.
    public var revision: Int?
    /// Stamps for the client's estimate of the hub's clock; a reply that is stored for a repeated command has none.
    package var stamps: Stamps?
    /// The result for the queue; `nil` unless the command edited one.
    public var queue: QueueResult?
    /// The result of a query, or the thing that the command has made.
    package var data: (any ReplyContent)?

    package init(
        id: Int, _ outcome: Outcome, revision: Int? = nil, stamps: Stamps? = nil, queue: QueueResult? = nil,
        data: (any ReplyContent)? = nil
    ) {
        self.id = id
        self.outcome = outcome
        self.revision = revision
        self.stamps = stamps
        self.queue = queue
        self.data = data
    }

    /// The remark beside a success: `dup` for a repeated earlier answer, `moved` if another remote was faster.
    public var why: Why? {
        switch outcome {
        case .applied(let why), .noop(let why): why
        case .failed, .unrecognised: nil
        }
    }

    /// True for every outcome but `failed`, an unknown one included: a newer hub reports failures only as `failed`.
    public var isSuccess: Bool { if case .failed = outcome { false } else { true } }
}
