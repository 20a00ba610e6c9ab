/// A transport of one's own, which is all that a platform without libwebsockets has to bring: here a hub that
/// exists only in these lines, so that it runs anywhere. Over `URLSessionWebSocketTask` the shape is the same.
import BatonClient
import BatonProtocol

struct PaperTransport: Transport {
    func connect(to endpoint: Endpoint) async throws(ConnectFault) -> any Channel {
        guard case .tcp(let host, _) = endpoint, host == "paper" else {
            throw ConnectFault(.nobody, "Nobody listens at \(endpoint).")
        }
        return PaperChannel()
    }
}

/// One WebSocket. What the hub says goes into `messages`; what we say comes to `send`, which never waits.
final class PaperChannel: Channel {
    let messages: AsyncStream<[UInt8]>
    private let heard: AsyncStream<[UInt8]>.Continuation

    init() { (messages, heard) = AsyncStream.makeStream() }

    func send(_ text: [UInt8]) {
        let said = String(decoding: text, as: UTF8.self)
        if said.contains("\"t\":\"hello\"") {
            hear(#"{"t":"welcome","core":"1.0","features":[],"sess":"s1","epoch":"e1","boot":"b1","role":"remote","caps":[],"pace":[50,20000],"t2":0,"t3":0}"#)
            hear(#"{"t":"state","full":1,"rev":7,"room":"living","s":{"vol":{"level":30,"mute":false,"range":[0,100]}}}"#)
        } else if said.contains("\"m\":\"vol.set\"") {
            hear(#"{"t":"state","rev":8,"from":7,"s":{"vol":{"level":35,"mute":false,"range":[0,100]}}}"#)
            hear(#"{"t":"res","id":1,"ok":1,"st":"applied","rev":8,"rx":1,"tx":2}"#)
        }
    }

    func close(_ code: UInt16) { heard.finish() }

    func ending() async -> Ending { Ending(code: CloseCode.normal.rawValue) }

    private func hear(_ text: String) { heard.yield(Array(text.utf8)) }
}

let hello = Hello(view: StateView.remote.rawValue, client: .init(id: Keys.random(), name: "On paper"))
for host in ["paper", "elsewhere"] {
    do {
        let plan = HubConnection.Plan(endpoint: .tcp(host: host, port: 9442), hello: hello)
        try await ReconnectingHub.withHub(plan, over: PaperTransport(), manner: .brief()) { hub in
            let before = try await hub.state().volume?.level ?? 0
            let reply = try await hub.send(Commands.VolumeSet(35))
            print(before, await hub.mirror.volume?.level ?? 0, reply.reply.outcome == .applied())
        }
    } catch let fault as ConnectFault {
        print(fault.sentence)
    }
}
