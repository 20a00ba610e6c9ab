import BatonSeams

/// One request and its answer, while they last.
@Loop
final class Exchange {
    let head: RequestHead
    var body: [UInt8] = []
    /// In the place of `body`, where the route reads it while it arrives.
    var incoming: IncomingBody?
    /// How much of it may still come; the framing, where its length is not known; and how long it may be.
    var left: Int64 = 0
    var chunks: ChunkReader?
    var most: Int64 = 0
    /// The peer waits for `100 Continue`.
    var owesContinue = false
    /// Where the body ends is not known.
    var isBroken = false
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
    /// What the kernel passes on by itself: from another server's connection, or from a file.
    var relay: SocketRelay?
    var passage: FilePassage?
    /// The stream was asked for one of them: once is enough.
    var hasAsked = false
    /// Waits for room in the pipe, or for the peer to go away.
    var watch: (any Watch)?

    init(_ head: RequestHead) {
        self.head = head
        owesContinue = head.isNew && head.headers["expect"]?.lowercased() == "100-continue"
    }

    /// The end of an answer that is not framed is the end of the connection.
    var keepsAlive: Bool { head.keepsAlive && framing != .untilEnd }

    func isWhole(_ stream: HTTPStream) -> Bool { stream.length.map { streamed >= $0 } ?? hasEnded }

    func cancel() {
        task?.cancel()
        watch?.cancel()
        relay?.stopWaiting()
        incoming?.fail(SourceFault(.cancelled, "The connection ended before the whole file had come."))
    }
}
