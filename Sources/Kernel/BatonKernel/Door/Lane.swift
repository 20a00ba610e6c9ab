import BatonCore
import BatonProtocol
import BatonSeams

/// A command on its way, with the sender that waits for its answer.
struct PendingCommand {
    /// The fault is that of a command which its dialect could not read.
    let asked: Result<any CommandRequest, ProtocolFault>
    /// `nil` when there is no command of this name.
    let kind: CommandKind?
    let context: CommandContext
    let answer: @Loop (Reply) -> Void
    /// When it came, where the hub counts its commands.
    let cameUs: Microseconds
    /// The number of halts in all rooms when it came.
    let halts: Int

    var order: CommandKind.Order { kind?.order ?? .ofRooms }

    /// Whether it waits for no unfinished command: a person who wants silence gets it at once, and the volume too.
    var neverWaits: Bool {
        switch kind {
        case .pause, .stop, .volumeSet, .volumeStep, .volumeMute: true
        case .toggle: if case .success(let command) = asked { command.typed(as: Commands.Toggle.self).want == .paused } else { false }
        default: false
        }
    }
}

/// The commands of one connection. Commands to rooms run one at a time in their order, commands that wait for other servers
/// likewise in a line of their own, and queries run in parallel with both.
@Loop
final class Lane {
    var bucket: TokenBucket
    var floods = FloodCounter()
    let whenFlooding: @Loop () -> Void
    private var rooms = Line()
    private var servers = Line()
    /// Running queries. Commands do not wait for them.
    var asking: [Int: (command: PendingCommand, task: Task<Void, Never>)] = [:]

    init(_ bucket: TokenBucket, _ whenFlooding: @escaping @Loop () -> Void) {
        self.bucket = bucket
        self.whenFlooding = whenFlooding
    }

    /// Commands that run one after the other. One that waits for no other may join those in work, and then the next one waits for it too.
    struct Line {
        var waiting: [PendingCommand] = []
        var working: [Int: Task<Void, Never>] = [:]

        var count: Int { waiting.count + working.count }
    }

    subscript(order: CommandKind.Order) -> Line {
        get { order == .ofServers ? servers : rooms }
        set { if order == .ofServers { servers = newValue } else { rooms = newValue } }
    }

    /// Whether a command of this order would have to wait. This reads in place, without a copy of the line.
    func isBusy(_ order: CommandKind.Order) -> Bool {
        switch order {
        case .none: false
        case .ofRooms: !rooms.working.isEmpty
        case .ofServers: !servers.working.isEmpty
        }
    }

    static let orders: [CommandKind.Order] = [.ofRooms, .ofServers]

    var inFlight: Int { rooms.count + servers.count + asking.count }
    /// Number of commands that are being carried out.
    var inWork: Int { asking.count + rooms.working.count + servers.working.count }
}

/// The rate limits of commands without a connection. Commands of one meter share a rate.
struct CommandMeters {
    private let limits: WireLimits
    private var buckets: [String: TokenBucket] = [:]
    private var looks: [String: TokenBucket] = [:]
    private static let most = 256

    init(_ limits: WireLimits) { self.limits = limits }

    func fresh(atUs nowUs: Microseconds) -> TokenBucket {
        TokenBucket(perSecond: limits.commandsPerSecond, burst: limits.commandBurst, atUs: nowUs)
    }

    mutating func take(_ meter: String, atUs nowUs: Microseconds) -> TokenBucket.Refill? {
        Self.take(meter, of: &buckets, orElse: fresh(atUs: nowUs), nowUs)
    }

    mutating func look(_ meter: String, atUs nowUs: Microseconds) -> TokenBucket.Refill? {
        let fresh = TokenBucket(perSecond: limits.commandsPerSecond * 2, burst: limits.commandBurst * 4, atUs: nowUs)
        return Self.take(meter, of: &looks, orElse: fresh, nowUs)
    }

    private static func take(
        _ meter: String, of buckets: inout [String: TokenBucket], orElse fresh: TokenBucket, _ nowUs: Microseconds
    ) -> TokenBucket.Refill? {
        if buckets.count > most { buckets = buckets.filter { !$0.value.isFull(atUs: nowUs) } }
        return buckets[meter, default: fresh].take(atUs: nowUs)
    }
}
