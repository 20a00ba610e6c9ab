/// Each command that is built has one handler, and the core's commands are what their parameters say.
import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel

@Suite struct `The table of commands` {
    @Test func `has a handler for each command`() async throws {
        try await onLoop {
            let table = try SimulatedHub().hub.commands.table
            #expect(CommandKind.allCases.filter { !table.has($0) } == [])
        }
    }

    @Test func `ends the program when a command gets a second handler`() async {
        await #expect(processExitsWith: .failure) {
            try await onLoop {
                let table = CommandTable([], Settling())
                for _ in 1...2 {
                    table.on(Commands.Pause.self) { command, accepted in .answered(Answer(Reply(id: accepted.id, .applied()))) }
                }
            }
        }
    }

    @Test func `gives a handler the command as it came`() throws {
        let added = Commands.QueueAdd((0..<100).map { ItemURI("file:track/album:\($0)") }, place: .end)
        let commands: [any CommandRequest] = Array(repeating: added, count: 100)
        #expect(commands.allSatisfy { $0.typed(as: Commands.QueueAdd.self) == added })
        let pause: any CommandRequest = Commands.Pause()
        #expect(pause.typed(as: Commands.Pause.self) == Commands.Pause())
    }

    @Test func `ends the program when a handler would get a command of another type`() async {
        await #expect(processExitsWith: .failure) {
            let pause: any CommandRequest = Commands.Pause()
            _ = pause.typed(as: Commands.Stop.self)
        }
    }

    @Test func `counts each kind once`() {
        #expect(CommandKind.allCases.map(\.index) == Array(CommandKind.allCases.indices))
    }

    @Test func `asks its steps one after the other, and the handler last`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let heard = Heard()
            let context = CommandContext(Identity(client: "local/one", role: .remote, trust: .itemsOnly), .alone(meter: "one"), number: 7)
            let accepted = AcceptedCommand(context: context, live: sim.hub.rooms.first, key: nil)
            @Loop func answer(of steps: [Noting]) throws(ProtocolFault) -> Int? {
                let table = CommandTable(steps, Settling())
                table.on(Commands.Pause.self) { _, _ in
                    heard.names.append("handler")
                    return .answered(Answer(Reply(id: 0, .applied())))
                }
                guard case .answered(let answer) = try table.handle(Commands.Pause(), accepted) else { return nil }
                return answer.reply.id
            }

            #expect(try answer(of: [Noting("a", heard), Noting("b", heard)]) == 0)
            #expect(heard.names == ["a", "b", "handler"])
            heard.names = []
            #expect(try answer(of: [Noting("a", heard), Noting("b", heard, .answers(3)), Noting("c", heard)]) == 3)
            #expect(heard.names == ["a", "b"])
            heard.names = []
            do throws(ProtocolFault) {
                _ = try answer(of: [Noting("a", heard, .refuses), Noting("b", heard)])
                Issue.record("It was carried out.")
            } catch {
                #expect(error.code == .forbidden)
            }
            #expect(heard.names == ["a"])
        }
    }

    @Test func `asks a step about the kinds that it concerns, and about no other one`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let heard = Heard()
            let context = CommandContext(Identity(client: "local/one", role: .remote, trust: .itemsOnly), .alone(meter: "one"), number: 7)
            let accepted = AcceptedCommand(context: context, live: sim.hub.rooms.first, key: nil)
            let table = CommandTable([Noting("all", heard), Noting("pauses", heard, of: [.pause])], Settling())
            for command in [Commands.Pause.self, Commands.Stop.self] as [any CommandRequest.Type] { answer(command, in: table) }
            _ = try table.handle(Commands.Stop(), accepted)
            #expect(heard.names == ["all"])
            _ = try table.handle(Commands.Pause(), accepted)
            #expect(heard.names == ["all", "all", "pauses"])
        }
    }

    @Loop private func answer<Asked: CommandRequest>(_ command: Asked.Type, in table: CommandTable) {
        table.answer(command) { _, accepted in Answer(Reply(id: accepted.id, .applied())) }
    }

    static let decisions: [(any CommandRequest, Command)] = [
        (Commands.Pause(), .pause), (Commands.Stop(), .stop), (Commands.Toggle(.playing), .play()), (Commands.Toggle(.paused), .pause),
        (Commands.Next(count: 2), .next(from: nil, count: 2)), (Commands.Previous(restartMs: 0), .previous(from: nil, restartMs: 0)),
        (Commands.Jump(EntryID(7)), .jump(EntryID(7))), (Commands.Seek(positionMs: 9), .seek(entry: nil, toMs: 9)),
        (Commands.SeekBy(ms: -9), .skip(entry: nil, byMs: -9)),
        (Commands.VolumeSet(42), .setLevel(42)), (Commands.VolumeStep(-5), .stepLevel(by: -5)), (Commands.VolumeMute(true), .setMute(true)),
        (Commands.ModeSet(repeat: true), .setModes(ModeChange(repeat: true))),
        (Commands.ModeSet(single: .once), .setModes(ModeChange(single: .once))),
        (Commands.ModeSet(consume: .on), .setModes(ModeChange(consume: .on))),
        (Commands.ModeSet(repeat: false, shuffle: true, speed: 1500), .setModes(ModeChange(repeat: false, shuffle: true, speed: 1500))),
        (Commands.BookSet(voice: true), .setSpeech(raisesVoice: true, trims: nil)),
        (Commands.BookChapter(number: 3), .chapter(entry: nil, .number(3))),
        (Commands.BookChapter(steps: -1), .chapter(entry: nil, .by(-1))),
        (Commands.SleepSet(.time, ms: 60_000), .setSleep(SleepWish(.time, amount: 60_000))),
        (Commands.SleepSet(.chapter, count: 2), .setSleep(SleepWish(.chapter, amount: 2))),
        (Commands.SleepClear(), .clearSleep),
        (Commands.RadioLive(), .rewind(entry: nil, to: .live)), (Commands.RadioBack(ms: 5), .rewind(entry: nil, to: .by(ms: 5))),
        (Commands.RadioBack(atMs: 5), .rewind(entry: nil, to: .received(atMs: 5))),
        (Commands.RadioBack(title: 5), .rewind(entry: nil, to: .title(5))),
        (Commands.QueueRemove([EntryID(1)]), .remove([EntryID(1)])),
        (Commands.QueueMove([EntryID(1)], anchor: .after(nil, orEnd: true)), .move([EntryID(1)], to: .after(nil, orEnd: true))),
        (Commands.QueueClear(911, keep: .current), .clear(base: 911, keep: .current)),
        (Commands.QueueShuffle(911), .shuffle(base: 911)), (Commands.QueueUndo(), .undo),
    ]

    @Test(arguments: decisions) func `tells the core what a command says`(command: any CommandRequest, decision: Command) {
        #expect(DecidedCommand.decision(of: command) == decision)
    }

    @Test func `has a decision of each command that the core decides alone`() {
        #expect(Set(Self.decisions.map(\.0.kind)) == Set(DecidedCommand.all.map(\.kind)))
    }
}

@Loop
private final class Heard {
    var names: [String] = []
}

@Loop
private final class Noting: CommandStep {
    enum Effect { case passes, answers(Int), refuses }

    let name: String
    let heard: Heard
    let effect: Effect
    /// `nil`: of all.
    let kinds: Set<CommandKind>?

    init(_ name: String, _ heard: Heard, _ effect: Effect = .passes, of kinds: Set<CommandKind>? = nil) {
        self.name = name
        self.heard = heard
        self.effect = effect
        self.kinds = kinds
    }

    func concerns(_ kind: CommandKind) -> Bool { kinds?.contains(kind) ?? true }

    func take(_ command: any CommandRequest, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Handling? {
        heard.names.append(name)
        switch effect {
        case .passes: return nil
        case .answers(let id): return .answered(Answer(Reply(id: id, .applied())))
        case .refuses: throw ProtocolFault(.forbidden, "No.")
        }
    }
}
