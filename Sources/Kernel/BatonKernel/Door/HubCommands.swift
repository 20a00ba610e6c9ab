import BatonProtocol
package import BatonSeams

/// Commands about the hub itself, and the lists that read on what a section could not hold.
@Loop
package struct HubCommands {
    let information: HubInformation
    let hold: WorkHold
    let sections: HubSections
    let people: People
    let ledger: Ledger

    func install(in commands: CommandTable) {
        commands.answer(Commands.Info.self) { command, accepted throws(ProtocolFault) in
            ledger.found(information.answer(to: accepted.identity, from: command.from), for: accepted)
        }
        commands.answer(Commands.RoomList.self) { command, accepted throws(ProtocolFault) in
            ledger.found(sections.rooms(from: command.from), for: accepted)
        }
        commands.answer(Commands.OutputList.self) { command, accepted throws(ProtocolFault) in
            ledger.found(sections.outputs(from: command.from), for: accepted)
        }
        commands.answer(Commands.PeopleList.self) { command, accepted throws(ProtocolFault) in
            let list: PeopleListing =
                switch command.which {
                case .hub: .hub(people.list(from: command.from))
                case .room: .room(people.listeners(in: accepted.live.id, from: command.from))
                }
            return ledger.found(list, for: accepted)
        }
        commands.answer(Commands.Resume.self) { _, accepted throws(ProtocolFault) in ledger.done(hold.end(), for: accepted) }
    }
}
