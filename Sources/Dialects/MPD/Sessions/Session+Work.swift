import BatonCore
import BatonProtocol
import BatonSeams

/// Work of a command that leaves the loop.
extension Session {
    /// Runs on a thread that may block. Two do so at once, of one connection or of two; others wait for their turn.
    func offLoop<Result: Sendable>(_ body: @escaping @Sendable () throws(SourceFault) -> Result) async throws(Ack) -> Result {
        await dialect.gate.enter()
        let result = await withTaskExecutorPreference(ports.media.blockingPool) { await Self.result(body) }
        dialect.gate.leave()
        guard !isClosed else { throw Self.closed }
        switch result {
        case .success(let value): return value
        case .failure(let fault): throw Ack(fault)
        }
    }

    /// The same as a value, for what runs beside other work.
    func answer<Value: Sendable>(_ body: @escaping @Sendable () throws(SourceFault) -> Value) async -> Result<Value, Ack> {
        do throws(Ack) { return .success(try await offLoop(body)) } catch { return .failure(error) }
    }

    private nonisolated static func result<Value: Sendable>(
        _ body: @Sendable () throws(SourceFault) -> Value
    ) async -> Result<Value, SourceFault> {
        do throws(SourceFault) { return .success(try body()) } catch { return .failure(error) }
    }

    /// The songs of the library. Throws while it is not open.
    func songs() throws(Ack) -> any SongReading {
        guard let songs = dialect.parts.songs() else { throw .noDatabase }
        return songs
    }

    /// Sends what is written so far, where that is a whole piece.
    func sendIfLarge() async throws(Ack) {
        if text.bytes.count > Self.pieceBytes { try await send([]) }
    }

    /// Sends a piece of a long answer, and returns when the client has taken most of it. Songs with long tags make pieces that are larger than what
    /// may wait for a client, so a piece is sent in parts.
    func send(_ bytes: [UInt8]) async throws(Ack) {
        flush()
        for start in stride(from: 0, to: bytes.count, by: SongStream.waitingBytes) {
            try await waitUntilRead()
            let end = min(start + SongStream.waitingBytes, bytes.count)
            connection.write(end - start == bytes.count ? bytes : Array(bytes[start..<end]))
        }
        try await waitUntilRead()
    }

    private func waitUntilRead() async throws(Ack) {
        while !isClosed, connection.unsentBytes > SongStream.waitingBytes {
            await withCheckedContinuation { writable = $0 }
        }
        guard !isClosed else { throw Self.closed }
    }
}

/// Lets a few at once do work that blocks, in the order in which they came.
@Loop
final class Gate {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ free: Int) { self.free = free }

    func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        free += 1
    }
}
