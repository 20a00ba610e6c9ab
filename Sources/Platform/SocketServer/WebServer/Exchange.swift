import BatonSeams

/// One request and its answer.
@Loop
final class Exchange {
    let head: RequestHead
    var body: [UInt8] = []
    /// The body, if the route reads it while it arrives.
    var incoming: IncomingBody?
    /// Number of bytes that may still come; the chunks, if the length is unknown; and the limit.
    var left: Int64 = 0
    var chunks: ChunkReader?
    var most: Int64 = 0
    /// True if the peer waits for `100 Continue`.
    var owesContinue = false
    /// True if the end of the body is unknown.
    var isBroken = false
    var task: Task<Void, Never>?
    var output: [UInt8] = []
    var sent = 0
    /// The rest of the answer, sent after `output`.
    var stream: HTTPStream?
    /// Number of bytes that were read from it.
    var streamed: Int64 = 0
    /// True at the end of a stream of unknown length.
    var hasEnded = false
    var framing = ResponseText.Framing.length
    /// Data that the kernel passes on by itself, from another server's connection or from a file.
    var relay: SocketRelay?
    var passage: FilePassage?
    /// True once the stream was asked for one of them.
    var hasAsked = false
    /// Waits for room in the pipe, or for the peer to disconnect.
    var watch: (any Watch)?

    init(_ head: RequestHead) {
        self.head = head
        owesContinue = head.isNew && head.headers["expect"]?.lowercased() == "100-continue"
    }

    /// False for an answer without framing, which ends with the connection.
    var keepsAlive: Bool { head.keepsAlive && framing != .untilEnd }

    func isWhole(_ stream: HTTPStream) -> Bool { stream.length.map { streamed >= $0 } ?? hasEnded }

    func cancel() {
        task?.cancel()
        watch?.cancel()
        relay?.stopWaiting()
        incoming?.fail(SourceFault(.cancelled, "The connection ended before the whole file had come."))
    }
}
