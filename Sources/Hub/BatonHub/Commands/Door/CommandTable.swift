import BatonProtocol
import BatonSeams

/// A part that keeps something for the connection by which a command came.
@Loop
protocol LaneHearer {
    func laneEnded(_ lane: Int)
}

/// The commands that this hub carries out, each with its handler, and the rules that come before.
///
/// Every part registers what it handles in its own `install(in:)`. A command is found by its place among all kinds, without hashing.
@Loop
final class CommandTable {
    typealias Handler = @Loop (any CommandRequest, Visit) throws(ProtocolFault) -> Handling

    /// The rules that hold for several commands, in the order in which they are asked.
    let steps: [any CommandStep]
    private let settling: Settling
    /// The steps that are asked about each kind of command.
    private let stepsOfKinds: [[any CommandStep]]
    private var handlers = [Handler?](repeating: nil, count: CommandKind.allCases.count)
    private var laneHearers: [any LaneHearer] = []

    init(_ steps: [any CommandStep], _ settling: Settling) {
        self.steps = steps
        stepsOfKinds = CommandKind.allCases.map { kind in steps.filter { $0.concerns(kind) } }
        self.settling = settling
    }

    // MARK: Registering

    func on<Command: CommandRequest>(
        _ command: Command.Type, _ handle: @escaping @Loop (Command, Visit) throws(ProtocolFault) -> Handling
    ) {
        precondition(!has(command.kind), "\(command.kind) has two handlers")
        var all = handlers
        handlers = []
        all[command.kind.place] = { command, visit throws(ProtocolFault) in
            guard let command = command as? Command else {
                throw ProtocolFault(.internal, "“\(command.kind.rawValue)” came as a command of another type.")
            }
            return try handle(command, visit)
        }
        handlers = all
    }

    /// A command that is answered at once.
    func answer<Command: CommandRequest>(
        _ command: Command.Type, _ answer: @escaping @Loop (Command, Visit) throws(ProtocolFault) -> Answer
    ) {
        on(command) { command, visit throws(ProtocolFault) in .answered(try answer(command, visit)) }
    }

    /// A command of a part that a hub may be without; then it comes to the fault.
    func on<Command: CommandRequest, Part>(
        _ command: Command.Type, by part: Part?, orElse fault: ProtocolFault,
        _ handle: @escaping @Loop (Part, Command, Visit) throws(ProtocolFault) -> Handling
    ) {
        on(command) { command, visit throws(ProtocolFault) in
            guard let part else { throw fault }
            return try handle(part, command, visit)
        }
    }

    func answer<Command: CommandRequest, Part>(
        _ command: Command.Type, by part: Part?, orElse fault: ProtocolFault,
        _ answer: @escaping @Loop (Part, Command, Visit) throws(ProtocolFault) -> Answer
    ) {
        on(command, by: part, orElse: fault) { part, command, visit throws(ProtocolFault) in
            .answered(try answer(part, command, visit))
        }
    }

    /// A command for which sources or disks are asked. It begins once all sources have been opened.
    func work<Command: CommandRequest>(
        on command: Command.Type, _ answer: @escaping @Loop (Command, Visit) async throws(ProtocolFault) -> Answer
    ) {
        on(command) { [settling] command, visit in
            settling.working(visit.id) { () async throws(ProtocolFault) in try await answer(command, visit) }
        }
    }

    /// The same, where a fault is one of sources and names no parameter.
    func ask<Command: CommandRequest>(
        _ command: Command.Type, _ answer: @escaping @Loop (Command, Visit) async throws(SourceFault) -> Answer
    ) {
        work(on: command) { command, visit async throws(ProtocolFault) in
            do throws(SourceFault) { return try await answer(command, visit) } catch { throw ProtocolFault(error, at: nil) }
        }
    }

    func tellEndsOfLanes(to hearer: any LaneHearer) { laneHearers.append(hearer) }

    func has(_ kind: CommandKind) -> Bool { handlers[kind.place] != nil }

    // MARK: Carrying out

    /// What comes here was let in by the door.
    func handle(_ command: any CommandRequest, _ visit: Visit) throws(ProtocolFault) -> Handling {
        let place = command.kind.place
        let steps = stepsOfKinds[place]
        for index in steps.indices {
            if let handling = try steps[index].take(command, visit) { return handling }
        }
        guard let handle = handlers[place] else {
            throw ProtocolFault(.unsupported, "This hub knows of “\(command.kind.rawValue)” but cannot do it yet.", at: "/m")
        }
        return try handle(command, visit)
    }

    func laneEnded(_ lane: Int) { for hearer in laneHearers { hearer.laneEnded(lane) } }
}
