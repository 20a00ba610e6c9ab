import BatonProtocol
package import BatonSeams

/// Commands about the hub itself.
@Loop
package struct HubCommands {
    let information: HubInformation
    let hold: WorkHold
    let ledger: Ledger

    func install(in commands: CommandTable) {
        commands.answer(Commands.Info.self) { _, accepted throws(ProtocolFault) in
            ledger.found(information.answer(to: accepted.identity), for: accepted)
        }
        commands.answer(Commands.Resume.self) { _, accepted throws(ProtocolFault) in ledger.done(hold.end(), for: accepted) }
    }
}
