import BatonClient
import BatonCore
import BatonProtocol
import BatonWire
import Synchronization

/// Connections in memory. What the hub does is a closure that hears each message of each connection;
/// it is called where the client sends, so a test sees everything in its order.
final class MemoryTransport: Transport {
    typealias Hub = @Sendable (ClientMessage, MemoryChannel) -> Void

    private let hub: Hub
    /// What connecting meets instead of a hub, by the number of the attempt.
    private let faults: [Int: ConnectFault]
    private let made = Mutex<[MemoryChannel]>([])
    private let tries = Mutex(0)

    init(faults: [Int: ConnectFault] = [:], hub: @escaping Hub) {
        self.faults = faults
        self.hub = hub
    }

    var channels: [MemoryChannel] { made.withLock { $0 } }
    var attempts: Int { tries.withLock { $0 } }

    /// All commands that arrived, over all connections.
    var commands: [CommandFrame] {
        channels.flatMap(\.heard).compactMap { if case .command(let frame) = $0 { frame } else { nil } }
    }

    func connect(to endpoint: Endpoint) async throws(ConnectFault) -> any Channel {
        let attempt = tries.withLock {
            $0 += 1
            return $0
        }
        if let fault = faults[attempt] { throw fault }
        return made.withLock { made in
            let channel = MemoryChannel(number: made.count + 1, hub)
            made.append(channel)
            return channel
        }
    }
}

/// One connection, with the hub's hand on the other end.
final class MemoryChannel: Channel {
    let number: Int
    let messages: AsyncStream<[UInt8]>
    let pictures: AsyncStream<[UInt8]>
    private let incoming: AsyncStream<[UInt8]>.Continuation
    private let incomingPictures: AsyncStream<[UInt8]>.Continuation
    private let hub: MemoryTransport.Hub
    private let state = Mutex(State())

    private struct State {
        var ending: Ending?
        var waiting: [CheckedContinuation<Ending, Never>] = []
        var heard: [ClientMessage] = []
    }

    init(number: Int, _ hub: @escaping MemoryTransport.Hub) {
        self.number = number
        self.hub = hub
        (messages, incoming) = AsyncStream.makeStream(of: [UInt8].self)
        (pictures, incomingPictures) = AsyncStream.makeStream(of: [UInt8].self)
    }

    var heard: [ClientMessage] { state.withLock { $0.heard } }
    var isOpen: Bool { state.withLock { $0.ending == nil } }

    // MARK: The client's end

    func send(_ text: [UInt8]) {
        guard isOpen, let message = try? ClientMessage.decode(text) else { return }
        state.withLock { $0.heard.append(message) }
        hub(message, self)
    }

    func close(_ code: UInt16) { end(code, "") }

    func ending() async -> Ending {
        await withCheckedContinuation { continuation in
            let ending = state.withLock { state in
                if state.ending == nil { state.waiting.append(continuation) }
                return state.ending
            }
            if let ending { continuation.resume(returning: ending) }
        }
    }

    // MARK: The hub's end

    func say(_ text: String) { incoming.yield(Array(text.utf8)) }

    func say(picture frame: ArtFrame) { incomingPictures.yield(frame.bytes) }

    func end(_ code: UInt16?, _ sentence: String) {
        let ending = Ending(code: code, sentence: sentence)
        let waiting = state.withLock { state -> [CheckedContinuation<Ending, Never>] in
            guard state.ending == nil else { return [] }
            state.ending = ending
            defer { state.waiting = [] }
            return state.waiting
        }
        incoming.finish()
        incomingPictures.finish()
        for waiter in waiting { waiter.resume(returning: ending) }
    }

    func welcome(epoch: String = "e1", hubUs: Microseconds = 5_000_000) {
        say(
            """
            {"t":"welcome","core":"1.0","features":["rooms@1"],"sess":"s_1","epoch":"\(epoch)","boot":"b1","role":"admin","caps":[],"pace":[20,20000],\
            "t1":1000000,"t2":\(hubUs),"t3":\(hubUs)}
            """)
    }

    func state(_ revision: Int, from: Int? = nil, level: Int) {
        let header = from.map { #""from":\#($0)"# } ?? #""full":1"#
        say(#"{"t":"state",\#(header),"rev":\#(revision),"room":"main","s":{"vol":{"level":\#(level),"mute":false}}}"#)
    }

    func applied(_ frame: CommandFrame, why: String? = nil) {
        say(#"{"t":"res","id":\#(frame.id),"ok":1,"st":"applied"\#(why.map { #","why":"\#($0)""# } ?? ""),"rev":1}"#)
    }
}

/// A client's words and clock, the same in every test.
enum Client {
    static let place = Endpoint.unix(path: "/run/hub.sock")
    static let nowUs: @Sendable () -> Microseconds = { 1_000_000 }

    static var plan: HubConnection.Plan {
        HubConnection.Plan(endpoint: place, hello: Hello(view: "full", client: .init(id: "client-1", run: "r1")))
    }

    /// A hub that greets, shows its volume, and leaves commands to `answer`.
    static func hub(_ answer: @escaping @Sendable (CommandFrame, MemoryChannel) -> Void = { $1.applied($0) }) -> MemoryTransport.Hub {
        { message, channel in
            switch message {
            case .hello:
                channel.welcome()
                channel.state(1, level: 30)
            case .command(let frame): answer(frame, channel)
            case .time(let t1): channel.say(#"{"t":"time","t1":\#(t1),"t2":5000000,"t3":5000000}"#)
            default: break
            }
        }
    }
}

/// Waits until something is so, at most ten seconds.
func eventually(_ condition: () async -> Bool) async -> Bool {
    let limit = ContinuousClock.now + .seconds(60)
    while await !condition() {
        if ContinuousClock.now > limit { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
