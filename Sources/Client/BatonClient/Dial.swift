public import BatonCore
public import BatonProtocol

/// A wheel or a slider for the level, however quickly it is turned.
///
/// A newer level replaces one that was not sent yet, so a hub is asked no more often than it answers
/// and than the protocol allows a remote, and the last level always arrives.
public struct Dial: Sendable {
    private let hub: SteadyHub
    private let room: RoomID?
    private let levels: AsyncStream<Int>
    private let turned: AsyncStream<Int>.Continuation

    /// A remote says at most 15 levels a second.
    private static let pause = Duration.milliseconds(70)

    public init(_ hub: SteadyHub, room: RoomID? = nil) {
        self.hub = hub
        self.room = room
        (levels, turned) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Never waits; callable from any thread.
    public func turn(to level: Int) { turned.yield(level) }

    /// Sends what the dial is turned to, until the task is cancelled. Each level that was sent is told
    /// with its answer.
    public func run(_ answered: @Sendable (Int, Result<Reply, any Error>) async -> Void = { _, _ in }) async {
        for await level in levels {
            do {
                await answered(level, .success(try await hub.send(Commands.VolumeSet(level), room: room).reply))
                try await Task.sleep(for: Self.pause)
            } catch is CancellationError {
                return
            } catch {
                await answered(level, .failure(error))
            }
        }
    }
}
