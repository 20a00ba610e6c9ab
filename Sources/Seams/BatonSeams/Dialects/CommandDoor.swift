package import BatonCore
package import BatonProtocol

/// The one way by which commands reach the hub, whichever protocol they come by.
///
/// Behind it stand, in this order: the rate of the sender, the number of commands in flight and their order, the role, the
/// expiry, the key, the guards. A dialect checks none of them itself.
@Loop
package protocol CommandDoor: AnyObject {
    /// `answer` is called exactly once: before this returns where nothing has to be waited for, else later. The player's orders
    /// and the other clients follow after it has returned.
    func take(_ command: any CommandRequest, _ context: CommandContext, answer: @escaping @Loop (Reply) -> Void)

    /// A command that the dialect could not read. It counts and takes its turn like any other, and is answered with the fault
    /// where the sender has the role for it. Without a kind there is no command of this name.
    func refuse(_ fault: ProtocolFault, _ kind: CommandKind?, _ context: CommandContext, answer: @escaping @Loop (Reply) -> Void)

    /// Counts something else that costs as much as a command, such as asking for a whole state. `nil` when the sender may go on.
    func count(_ sender: CommandContext.Sender) -> ProtocolFault?

    /// Counts a look at what is there anyway. Programs take many at once, so four times as many are allowed as commands, twice as fast,
    /// and they do not use up the rate of commands.
    func countLook(_ meter: String) -> ProtocolFault?

    /// Commands on a lane are answered in the order in which they came. `whenFlooding` is called when the sender goes on sending
    /// after it was told to wait; the connection should end then.
    func openLane(whenFlooding: @escaping @Loop () -> Void) -> CommandLane

    /// Gives a command up. One that waits, or that asks a source, is answered with `fault`, or that it was cancelled; one that
    /// is being carried out is answered by what became of it.
    func cancel(_ number: Int, on lane: CommandLane, with fault: ProtocolFault?)

    /// The connection has ended. Commands that wait, and questions to sources, are answered that they were cancelled; a command
    /// that is being carried out is cancelled where it still can be.
    func close(_ lane: CommandLane)
}

extension CommandDoor {
    /// The same for callers that wait. Cancelling the task cancels the command.
    package func take(_ command: any CommandRequest, _ context: CommandContext) async -> Reply {
        await answer(to: context) { context, answer in take(command, context, answer: answer) }
    }

    package func refuse(_ fault: ProtocolFault, _ kind: CommandKind?, _ context: CommandContext) async -> Reply {
        await answer(to: context) { context, answer in refuse(fault, kind, context, answer: answer) }
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

/// The commands of one connection, as the door counts them.
package struct CommandLane: Hashable, Sendable {
    package let number: Int
    package init(number: Int) { self.number = number }
}

/// Cancels one command that came without a lane.
@Loop
package final class CommandTicket {
    private var isCancelled = false
    private var task: Task<Void, Never>?

    package init() {}

    package func cancel() {
        isCancelled = true
        task?.cancel()
    }

    /// The task that carries the command out.
    package func note(_ task: Task<Void, Never>) {
        self.task = task
        if isCancelled { task.cancel() }
    }
}

/// What the door has to know of one command beside what it asks for.
///
/// It is a class, since it is handed on many times on the way of a command, and an identity has many texts to copy.
@Loop
package final class CommandContext {
    package enum Sender: Sendable {
        case lane(CommandLane)
        /// A command that stands alone. Those of one meter share a rate.
        case alone(meter: String)
    }

    /// Makes sending a command again safe: the same key means the same press.
    package struct Key: Equatable, Sendable {
        package var text: String
        /// Of the command's meaning, made by the codec. A different one under the same key is a mistake.
        package var fingerprint: UInt64

        package init(_ text: String, fingerprint: UInt64) {
            self.text = text
            self.fingerprint = fingerprint
        }
    }

    /// How the dialect takes a picture that a command asks for.
    package struct Pictures: Sendable {
        /// The picture is made smaller until it fits; `nil` for no limit.
        package var mostBytes: Int?
        /// Called before the answer.
        package var give: @Loop (Picture) -> Void

        package init(mostBytes: Int?, give: @escaping @Loop (Picture) -> Void) {
            self.mostBytes = mostBytes
            self.give = give
        }
    }

    package let identity: Identity
    package let sender: Sender
    /// The number under which it is answered, and by which it can be cancelled.
    package let number: Int
    package let key: Key?
    /// The client's estimate of the hub's milliseconds at the press, and how long after that it is still wanted.
    package let ct: Int64?
    package let ttl: Int?
    /// `nil` means the hub's first room.
    package let room: RoomID?
    /// `nil` where the dialect cannot carry pictures.
    package var pictures: Pictures?
    /// How much a page of rows may take where the client takes less than the hub allows.
    package let pageBytes: Int?
    /// The dialect has called `count` for this command already.
    package let isCounted: Bool
    package var ticket: CommandTicket?

    package init(
        _ identity: Identity, _ sender: Sender, number: Int, key: Key? = nil, ct: Int64? = nil, ttl: Int? = nil, room: RoomID? = nil,
        pageBytes: Int? = nil, isCounted: Bool = false, pictures: Pictures? = nil
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
        self.pictures = pictures
    }
}
