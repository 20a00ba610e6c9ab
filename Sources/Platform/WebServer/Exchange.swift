import BatonSeams

/// One request and its answer, while they last.
@Loop
final class Exchange {
    let head: RequestHead
    var body: [UInt8] = []
    var task: Task<Void, Never>?
    var output: [UInt8] = []
    var sent = 0
    /// The rest of the answer, to be read and sent after `output`.
    var stream: HTTPStream?
    /// How much of it was read.
    var streamed: Int64 = 0
    /// The end of a stream of unknown length has come.
    var hasEnded = false
    var framing = ResponseText.Framing.length
    /// What the kernel passes on by itself.
    var relay: SocketRelay?
    /// The stream was asked for a connection: once is enough.
    var hasAsked = false
    /// Waits for room in the pipe, or for the peer to go away.
    var watch: (any Watch)?

    init(_ head: RequestHead) { self.head = head }

    /// The end of an answer that is not framed is the end of the connection.
    var keepsAlive: Bool { head.keepsAlive && framing != .untilEnd }

    func isWhole(_ stream: HTTPStream) -> Bool { stream.length.map { streamed >= $0 } ?? hasEnded }

    func cancel() {
        task?.cancel()
        watch?.cancel()
        relay?.close()
    }
}
