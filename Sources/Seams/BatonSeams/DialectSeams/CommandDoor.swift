package import BatonCore
package import BatonProtocol

/// The only way for commands into the hub, for every protocol.
///
/// It checks, in this order: the rate of the sender, the number and order of commands in flight, the method, the role, the fault of a command that
/// could not be read, a known key, the age, the room, the guards. A dialect checks none of these itself.
@Loop
package protocol CommandDoor: AnyObject {
    /// `answer` is called exactly once: before this returns if nothing has to be waited for, otherwise later. The player's orders and other clients
    /// follow after it has returned.
    func take(_ command: any CommandRequest, _ context: CommandContext, answer: @escaping @Loop (Reply) -> Void)

    /// Handles a command that the dialect could not parse. It counts and waits its turn like any other, and is answered with the fault if the sender
    /// has the role for it. Without a kind no command has this name, and the fault is the same for all of those.
    func refuse(_ fault: ProtocolFault, kind: CommandKind?, context: CommandContext, answer: @escaping @Loop (Reply) -> Void)

    /// Counts another action that costs as much as a command, such as requesting a whole state. `nil` when the sender may go on.
    func count(_ sender: CommandContext.Sender) -> ProtocolFault?

    /// Counts a read of available data. Programs make many at once, so four times as many are permitted as commands, at twice the rate, and they
    /// do not count as commands.
    func countLook(_ meter: String) -> ProtocolFault?

    /// Opens a lane. Its commands are answered in the order in which they came. `whenFlooding` is called when the sender goes on sending after it was
    /// told to wait; the connection should end then.
    func openLane(whenFlooding: @escaping @Loop () -> Void) -> CommandLane

    /// Cancels a command. One that waits, or that waits for a source, is answered with `fault`, or as cancelled; one that is being carried out is
    /// answered with its result.
    func cancel(_ number: Int, on lane: CommandLane, with fault: ProtocolFault?)

    /// Closes the lane of a connection that has ended. Waiting commands and requests to sources are answered as cancelled; a command that is being
    /// carried out is cancelled if that is still possible.
    func close(_ lane: CommandLane)
}

extension CommandDoor {
    /// The same for callers that wait. Cancelling the task cancels the command.
    package func take(_ command: any CommandRequest, _ context: CommandContext) async -> Reply {
        await answer(to: context) { context, answer in take(command, context, answer: answer) }
    }

    /// The same for callers that wait.
    package func refuse(_ fault: ProtocolFault, kind: CommandKind?, context: CommandContext) async -> Reply {
        await answer(to: context) { context, answer in refuse(fault, kind: kind, context: context, answer: answer) }
    }

    private func answer(
        to context: CommandContext, _ take: @Loop (CommandContext, @escaping @Loop (Reply) -> Void) -> Void
    ) async -> Reply {
        let ticket = CommandTicket()
        context.ticket = ticket
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in take(context) { waiting.resume(returning: $0) } }
        } onCancel: {
            // Tasks on the loop are cancelled on the loop.
            Loop.assumeIsolated { ticket.cancel() }
        }
    }
}

/// The lane of one connection, which the door uses for counting its commands.
package struct CommandLane: Hashable, Sendable {
    /// The number, unique while the hub runs.
    package let number: Int
    package init(number: Int) { self.number = number }
}

/// Cancels one command that has no lane.
@Loop
package final class CommandTicket {
    private var isCancelled = false
    private var task: Task<Void, Never>?

    /// A ticket for a command that has not begun.
    package init() {}

    /// Cancels the command; one that begins later is cancelled at once.
    package func cancel() {
        isCancelled = true
        task?.cancel()
    }

    /// Sets the task that carries out the command.
    package func note(_ task: Task<Void, Never>) {
        self.task = task
        if isCancelled { task.cancel() }
    }
}

/// Facts about one command that the door needs in addition to the command itself.
///
/// It is a class, because it is passed on many times, and copying an identity copies many texts.
@Loop
package final class CommandContext {
    /// The origin of a command, which decides whose rate it counts against.
    package enum Sender: Sendable {
        /// A connection, whose commands are answered in order.
        case lane(CommandLane)
        /// A single command. Those with the same meter share a rate.
        case alone(meter: String)
    }

    /// The key that makes repeating a command safe: the same key means the same press.
    package struct Key: Equatable, Sendable {
        /// The text that the client chose, unique for its principal.
        package var text: String
        /// The hash of the command's meaning, computed by the codec. A different one with the same key is a mistake.
        package var fingerprint: UInt64

        package init(_ text: String, fingerprint: UInt64) {
            self.text = text
            self.fingerprint = fingerprint
        }
    }

    /// The delivery of a picture that a command requests.
    package struct Pictures: Sendable {
        /// Maximum size, to which the picture is scaled down; `nil` for no limit.
        package var mostBytes: Int?
        /// Called before the answer.
        package var give: @Loop (Picture) -> Void

        package init(mostBytes: Int?, give: @escaping @Loop (Picture) -> Void) {
            self.mostBytes = mostBytes
            self.give = give
        }
    }

    package let identity: Identity
    /// The connection, or the meter of a single command.
    package let sender: Sender
    /// The number in its answer, by which it can be cancelled.
    package let number: Int
    /// The key; `nil` for a command that may be repeated freely.
    package let key: Key?
    /// The client's estimate of the hub's clock at the press.
    package let ct: Milliseconds?
    /// How long after that the command is valid.
    package let ttl: Milliseconds?
    /// The room; `nil` means the hub's first room.
    package let room: RoomID?
    /// `nil` where the dialect cannot deliver pictures.
    package var pictures: Pictures?
    /// How much a page of rows may take where the client takes less than the hub allows.
    package let pageBytes: Int?
    /// The dialect has called `count` for this command already.
    package let isCounted: Bool
    /// The ticket by which a waiting caller cancels it; set by `take` for such callers.
    package var ticket: CommandTicket?

    package init(
        _ identity: Identity, _ sender: Sender, number: Int, key: Key? = nil, ct: Milliseconds? = nil, ttl: Milliseconds? = nil,
        room: RoomID? = nil,
        pageBytes: Int? = nil, isCounted: Bool = false
    ) {
        self.identity = identity
        self.sender = sender
        self.number = number
        self.key = key
        self.ct = ct
        self.ttl = ttl
        self.room = room
        self.pageBytes = pageBytes
        self.isCounted = isCounted
    }
}
