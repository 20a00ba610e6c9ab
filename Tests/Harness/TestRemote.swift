package import BatonClient
package import BatonCore
import BatonProtocol
package import BatonSeams
package import BatonWire

/// A remote in memory: it keeps every frame the hub sent, mirrors the state, and can stop reading.
@Loop
package final class TestRemote: Link {
    package let peer: Peer
    package var exporter: [UInt8]?
    package var bounds = LinkBounds(
        textBytes: 4096, binaryBytes: 4096, patience: Patience(pingMs: 20_000, endMs: 45_000),
        allowance: FrameAllowance(perSecond: 100, burst: 500, late: 200, windowMs: 10_000))
    package private(set) var frames: [String] = []
    package private(set) var messages: [HubMessage] = []
    package private(set) var closed: (code: UInt16, why: String)?
    package private(set) var mirror = Mirror()
    package private(set) var gaps = 0
    /// False means that its pipe is full.
    package var isReading = true {
        didSet { if isReading, wantsWritable { becomeWritable() } }
    }
    private var wantsWritable = false
    /// How often the hub was told that its pipe has room again.
    package private(set) var turns = 0
    private var nextID = 1
    private let owner: any LinkOwner

    init(owner: any LinkOwner, peer: Peer) {
        self.owner = owner
        self.peer = peer
        owner.linkOpened(self)
    }

    // MARK: As the hub sees it

    package var isReady: Bool { isReading && closed == nil && framesLeft ?? 1 > 0 }

    /// Binary frames, and in which order frames of both kinds came.
    package private(set) var binaries: [[UInt8]] = []
    package private(set) var order: [String] = []
    private var framesLeft: Int?

    /// Its pipe is full after so many more frames.
    package func stopAfter(frames: Int?) { framesLeft = frames }

    package func write(_ frame: Frame) {
        let bytes = Array(frame.payload)
        framesLeft = framesLeft.map { $0 - 1 }
        order.append(frame.isBinary ? "binary" : "text")
        guard !frame.isBinary else { return binaries.append(bytes) }
        frames.append(String(decoding: bytes, as: UTF8.self))
        guard let message = try? HubMessage.decode(bytes) else { return }
        messages.append(message)
        switch message {
        case .state(let update): take(update)
        case .reply(let reply): if let state = reply.state { take(state) }
        default: break
        }
    }

    private func take(_ update: StateUpdate) {
        if (try? mirror.apply(update)) != .applied { gaps += 1 }
    }

    package func write(_ frame: Frame, then next: Frame) {
        write(frame)
        write(next)
    }

    package func wantWritable() {
        wantsWritable = true
    }

    /// What a socket's event loop does between turns.
    package func becomeWritable() {
        while wantsWritable, isReady {
            wantsWritable = false
            turns += 1
            owner.linkWritable()
        }
    }

    package func close(_ code: UInt16, _ reason: String) {
        guard closed == nil else { return }
        closed = (code, reason)
        owner.linkClosed()
    }

    // MARK: As a person uses it

    package func send(_ text: [UInt8]) { owner.linkReceived(text: text) }
    package func send(binary: [UInt8]) { owner.linkReceived(binary: binary) }

    /// Sends a command and gives its id. Unlike `ReconnectingHub.send` it adds no key, so that a test can leave one out.
    @discardableResult
    package func send(
        _ command: some WireCommand, key: String? = nil, room: RoomID? = nil, ct: Milliseconds? = nil, ttl: Milliseconds? = nil
    ) -> Int {
        let id = nextID
        nextID += 1
        sendText(command.frameText(id: id, key: key, room: room, ct: ct, ttl: ttl))
        return id
    }

    /// Sends a frame as it is: what is no command, and commands that no type can say because something is wrong with them.
    package func sendText(_ text: String) { owner.linkReceived(text: Array(text.utf8)) }

    package func reply(_ id: Int) -> ReceivedReply? {
        for case .reply(let reply) in messages where reply.reply.id == id { return reply }
        return nil
    }

    /// The reply, once work that leaves the loop has come back.
    package func awaitReply(_ id: Int) async -> ReceivedReply? {
        for _ in 0..<100_000 {
            if let reply = reply(id) { return reply }
            await Task.yield()
        }
        return nil
    }

    package func drop() { owner.linkClosed() }

    package func forgetFrames() {
        frames = []
        messages = []
    }
}
