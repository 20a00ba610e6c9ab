import BatonSeams

/// One request and its answer, while they last.
@Loop
final class Exchange {
    let head: RequestHead
    var body: [UInt8] = []
    var task: Task<Void, Never>?
    var output: [UInt8] = []
    var sent = 0
    /// What has to be read and sent after `output`.
    var stream: HTTPStream?
    /// How much of it was read, and since when the peer has taken none.
    var streamed: Int64 = 0
    /// Waits for room in the pipe, or for the peer to go away.
    var watch: (any Watch)?

    init(_ head: RequestHead) { self.head = head }

    func cancel() {
        task?.cancel()
        watch?.cancel()
    }
}
