public import BatonCore
public import BatonProtocol

/// A volume control that may change quickly, such as a wheel or a slider.
///
/// A newer level replaces one that was not sent yet, so requests stay within the hub's speed and the protocol's
/// limit, and the last level always arrives.
public struct Dial: Sendable {
    private let hub: ReconnectingHub
    private let room: RoomID?
    private let levels: AsyncStream<Int>
    private let turned: AsyncStream<Int>.Continuation

    /// The protocol allows a remote 15 levels a second.
    private static let pause = Duration.milliseconds(70)

    /// A control of one room; without a room it applies to the one that the connection follows.
    public init(_ hub: ReconnectingHub, room: RoomID? = nil) {
        self.hub = hub
        self.room = room
        (levels, turned) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Sets the level. Never waits; may be called from any thread.
    public func turn(to level: Int) { turned.yield(level) }

    /// Sends levels until the task is cancelled, and reports each sent level with its reply.
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
