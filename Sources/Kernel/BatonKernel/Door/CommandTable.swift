package import BatonProtocol
package import BatonSeams

/// A part that holds state for the connection of a command.
@Loop
package protocol LaneHearer {
    func laneEnded(_ lane: Int)
}

/// The commands that this hub carries out with their handlers, and the rules that run first.
///
/// Every part registers its commands in its own `install(in:)`. A command is found by the index of its kind, without hashing.
@Loop
package final class CommandTable {
    typealias Handler = @Loop (any CommandRequest, Visit) throws(ProtocolFault) -> Handling

    /// The rules for several commands, in order.
    package let steps: [any CommandStep]
    private let settling: Settling
    private var handlers = [Handler?](repeating: nil, count: CommandKind.allCases.count)
    private var laneHearers: [any LaneHearer] = []

    package init(_ steps: [any CommandStep], _ settling: Settling) {
        self.steps = steps
        self.settling = settling
    }

    // MARK: Registering

    package func on<Command: CommandRequest>(
        _ command: Command.Type, _ handle: @escaping @Loop (Command, Visit) throws(ProtocolFault) -> Handling
    ) {
        precondition(!has(command.kind), "\(command.kind) has two handlers")
        handlers[command.kind.place] = { command, visit throws(ProtocolFault) in
            guard let command = command as? Command else {
                throw ProtocolFault(.internal, "“\(command.kind.rawValue)” came as a command of another type.")
            }
            return try handle(command, visit)
        }
    }

    /// Registers a command that is answered at once.
    package func answer<Command: CommandRequest>(
        _ command: Command.Type, _ answer: @escaping @Loop (Command, Visit) throws(ProtocolFault) -> Answer
    ) {
        on(command) { command, visit throws(ProtocolFault) in .answered(try answer(command, visit)) }
    }

    /// Registers a command of an optional part. Without the part it gets the fault.
    package func on<Command: CommandRequest, Part>(
        _ command: Command.Type, by part: Part?, orElse fault: ProtocolFault,
        _ handle: @escaping @Loop (Part, Command, Visit) throws(ProtocolFault) -> Handling
    ) {
        on(command) { command, visit throws(ProtocolFault) in
            guard let part else { throw fault }
            return try handle(part, command, visit)
        }
    }

    package func answer<Command: CommandRequest, Part>(
        _ command: Command.Type, by part: Part?, orElse fault: ProtocolFault,
        _ answer: @escaping @Loop (Part, Command, Visit) throws(ProtocolFault) -> Answer
    ) {
        on(command, by: part, orElse: fault) { part, command, visit throws(ProtocolFault) in
            .answered(try answer(part, command, visit))
        }
    }

    /// Registers a command that asks sources or disks. It begins once all sources are open.
    package func work<Command: CommandRequest>(
        on command: Command.Type, _ answer: @escaping @Loop (Command, Visit) async throws(ProtocolFault) -> Answer
    ) {
        on(command) { [settling] command, visit in
            settling.working(visit.id) { () async throws(ProtocolFault) in try await answer(command, visit) }
        }
    }

    /// Registers a command that asks sources, and whose faults name no parameter.
    package func ask<Command: CommandRequest>(
        _ command: Command.Type, _ answer: @escaping @Loop (Command, Visit) async throws(SourceFault) -> Answer
    ) {
        work(on: command) { command, visit async throws(ProtocolFault) in
            do throws(SourceFault) { return try await answer(command, visit) } catch { throw ProtocolFault(error, at: nil) }
        }
    }

    package func tellEndsOfLanes(to hearer: any LaneHearer) { laneHearers.append(hearer) }

    package func has(_ kind: CommandKind) -> Bool { handlers[kind.place] != nil }

    // MARK: Carrying out

    /// Handles a command that the door has accepted.
    package func handle(_ command: any CommandRequest, _ visit: Visit) throws(ProtocolFault) -> Handling {
        for step in steps {
            if let handling = try step.take(command, visit) { return handling }
        }
        guard let handle = handlers[command.kind.place] else {
            throw ProtocolFault(.unsupported, "This hub knows of “\(command.kind.rawValue)” but cannot do it yet.", at: "/m")
        }
        return try handle(command, visit)
    }

    package func laneEnded(_ lane: Int) { for hearer in laneHearers { hearer.laneEnded(lane) } }
}
