package import BatonProtocol
package import BatonSeams

/// A part that holds state for the connection of a command.
@Loop
package protocol LaneObserver {
    /// Called once when the connection has ended, before its waiting commands are answered; `lane` is its number.
    func laneEnded(_ lane: Int)
}

/// The commands that this hub carries out with their handlers, and the rules that run first.
///
/// Every part registers what it handles in its own `install(in:)`. A command is found by its index among all kinds, without hashing.
/// The functions that register are compiled for each type of command, so they only name that type; all the rest is in `add` and `handle`.
@Loop
package final class CommandTable {
    /// The row of a command.
    private enum Row {
        case handled(@Loop (any CommandRequest, AcceptedCommand) throws(ProtocolFault) -> Handling)
        /// A command that is answered at once.
        case answered(@Loop (any CommandRequest, AcceptedCommand) throws(ProtocolFault) -> Answer)
        /// A command that begins once all sources have been opened.
        case working(@Loop (any CommandRequest, AcceptedCommand) async throws(ProtocolFault) -> Answer)
        /// A command like that, whose faults are those of sources.
        case asking(@Loop (any CommandRequest, AcceptedCommand) async throws(SourceFault) -> Answer)
    }

    private let settling: Settling
    private let profiles: HubProfiles
    /// The rules for several commands: those that are asked about each kind, in order.
    let stepsOfKinds: [[any CommandStep]]
    private var rows = [Row?](repeating: nil, count: CommandKind.allCases.count)
    private var laneObservers: [any LaneObserver] = []

    /// Makes a table without handlers, for the commands of these profiles and of Core. The steps are asked once which kinds concern them, so
    /// their answers must not change.
    package init(_ steps: [any CommandStep], _ settling: Settling, for profiles: HubProfiles = .every) {
        self.profiles = profiles
        stepsOfKinds = CommandKind.allCases.map { kind in
            profiles.has(level: kind.level) ? steps.filter { $0.concerns(kind) } : []
        }
        self.settling = settling
    }

    // MARK: Registering

    /// A handler of commands whose type it does not need to know.
    package func on(_ kind: CommandKind, _ handle: @escaping @Loop (any CommandRequest, AcceptedCommand) throws(ProtocolFault) -> Handling)
    {
        add(kind, .handled(handle))
    }

    /// Registers a handler that decides itself whether it answers at once or has work. A second handler of a kind ends the program.
    package func on<Command: CommandRequest>(
        _ command: Command.Type, _ handle: @escaping @Loop (Command, AcceptedCommand) throws(ProtocolFault) -> Handling
    ) {
        add(command.kind, .handled { request, accepted throws(ProtocolFault) in try handle(request.typed(), accepted) })
    }

    /// Registers a command that is answered at once.
    package func answer<Command: CommandRequest>(
        _ command: Command.Type, _ answer: @escaping @Loop (Command, AcceptedCommand) throws(ProtocolFault) -> Answer
    ) {
        add(command.kind, .answered { request, accepted throws(ProtocolFault) in try answer(request.typed(), accepted) })
    }

    /// Registers a command that asks sources or disks. It begins once all sources are open.
    package func work<Command: CommandRequest>(
        on command: Command.Type, _ answer: @escaping @Loop (Command, AcceptedCommand) async throws(ProtocolFault) -> Answer
    ) {
        add(command.kind, .working { request, accepted async throws(ProtocolFault) in try await answer(request.typed(), accepted) })
    }

    /// Registers a command that asks sources, and whose faults name no parameter.
    package func ask<Command: CommandRequest>(
        _ command: Command.Type, _ answer: @escaping @Loop (Command, AcceptedCommand) async throws(SourceFault) -> Answer
    ) {
        add(command.kind, .asking { request, accepted async throws(SourceFault) in try await answer(request.typed(), accepted) })
    }

    /// Registers a command that names a wanted state of a source. `change` returns false if it was the state already.
    package func change<Command: CommandRequest>(
        _ command: Command.Type, with ledger: Ledger, _ change: @escaping @Loop (Command, AcceptedCommand) async throws(SourceFault) -> Bool
    ) {
        ask(command) { command, accepted async throws(SourceFault) in ledger.done(try await change(command, accepted), for: accepted) }
    }

    /// Registers a question to sources, whose answer is what was found.
    package func find<Command: CommandRequest>(
        _ command: Command.Type, with ledger: Ledger,
        _ find: @escaping @Loop (Command, AcceptedCommand) async throws(SourceFault) -> Command.Answer
    ) where Command.Answer: ReplyContent {
        ask(command) { command, accepted async throws(SourceFault) in ledger.found(try await find(command, accepted), for: accepted) }
    }

    private func add(_ kind: CommandKind, _ row: Row) {
        precondition(!has(kind), "\(kind) has two handlers")
        guard profiles.has(level: kind.level) else { return }
        var all = rows
        rows = []
        all[kind.index] = row
        rows = all
    }

    /// Tells a part when a connection has ended, in the order in which parts are added; the table owns the part.
    package func tellEndsOfLanes(to observer: any LaneObserver) { laneObservers.append(observer) }

    /// Whether this hub has the command. One of a profile that it lacks is as unknown as a misspelt one.
    func has(_ kind: CommandKind) -> Bool { rows[kind.index] != nil }

    // MARK: Carrying out

    /// Carries out a command that the door has let in.
    func handle(_ command: any CommandRequest, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Handling {
        let index = command.kind.index
        let steps = stepsOfKinds[index]
        for number in steps.indices {
            if let handling = try steps[number].take(command, accepted) { return handling }
        }
        switch rows[index] {
        case .handled(let handle): return try handle(command, accepted)
        case .answered(let answer): return .answered(try answer(command, accepted))
        case .working(let answer):
            return settling.working(accepted.id) { () async throws(ProtocolFault) in try await answer(command, accepted) }
        case .asking(let answer):
            return settling.working(accepted.id) { () async throws(ProtocolFault) in
                do throws(SourceFault) { return try await answer(command, accepted) } catch { throw ProtocolFault(error, at: nil) }
            }
        case nil: throw .unknownCommand
        }
    }

    /// Tells all parts that the connection of this lane has ended.
    package func laneEnded(_ lane: Int) { for observer in laneObservers { observer.laneEnded(lane) } }
}

extension CommandRequest {
    /// The command as its own type. A cast would search that type for each command, in some 100 instructions more; here two addresses are
    /// compared, and values of one type have one layout, so the copy of the bits is that value. A kind has one type, so a handler never
    /// gets another one.
    @inline(__always)
    package func typed<Command: CommandRequest>(as type: Command.Type = Command.self) -> Command {
        precondition(Self.self == type, "a handler got a command of another type")
        return unsafeBitCast(self, to: type)
    }
}
