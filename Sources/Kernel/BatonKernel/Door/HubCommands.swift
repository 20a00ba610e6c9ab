import BatonProtocol
package import BatonSeams

/// Commands about the hub itself.
@Loop
package struct HubCommands {
    let information: HubInformation
    let hold: WorkHold
    let ledger: Ledger

    func install(in commands: CommandTable) {
        commands.answer(Commands.Info.self) { _, visit throws(ProtocolFault) in
            ledger.found(information.answer(to: visit.identity), for: visit)
        }
        commands.answer(Commands.ReadLog.self) { command, visit throws(ProtocolFault) in
            guard let log = information.program?.logLines(command) else {
                throw ProtocolFault(.unsupported, "This hub keeps no lines of its log.")
            }
            return ledger.found(log, for: visit)
        }
        commands.answer(Commands.Resume.self) { _, visit throws(ProtocolFault) in ledger.done(hold.end(), for: visit) }
    }
}
