import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about other protocols. Nothing of them is in the journal or stored with a key, since passwords are secret.
@Loop
struct DialectCommands {
    let passwords: PasswordRegistry
    let switches: DialectSwitches
    let ledger: Ledger

    /// Number of connections of a dialect that a list shows.
    private static let mostPrograms = 32

    /// Registers the commands.
    func install(in commands: CommandTable) {
        commands.answer(Commands.Dialects.self) { _, accepted throws(ProtocolFault) in
            ledger.found(DialectList(switches.all.map(row)), for: accepted)
        }
        commands.answer(Commands.DialectPasswords.self) { command, accepted throws(ProtocolFault) in
            let dialect = try switches.dialect(command.dialect)
            let rows = passwords.passwords(of: dialect.name).map { password in
                DialectPasswordList.Row(name: password.name, role: password.role, createdMs: password.createdMs)
            }
            return ledger.found(DialectPasswordList(rows), for: accepted)
        }
        commands.on(Commands.DialectSet.self) { command, accepted in
            .working(for: accepted) { () async throws(ProtocolFault) in
                ledger.done(try await switches.turn(command.dialect, on: command.isOn), for: accepted)
            }
        }
        commands.on(Commands.DialectPasswordAdd.self) { command, accepted in
            .working(for: accepted) { () async throws(ProtocolFault) in
                let dialect = try switches.dialect(command.dialect)
                try await passwords.add(command.name, of: dialect.name, password: command.password, role: command.role)
                return ledger.done(true, for: accepted)
            }
        }
        commands.on(Commands.DialectPasswordRemove.self) { command, accepted in
            .working(for: accepted) { () async throws(ProtocolFault) in
                let dialect = try switches.dialect(command.dialect)
                try await passwords.remove(command.name, of: dialect.name)
                return ledger.done(true, for: accepted)
            }
        }
    }

    private func row(_ dialect: any SwitchedDialect) -> DialectList.Row {
        let facts = dialect.facts
        return DialectList.Row(
            dialect: dialect.name, isOn: facts.isOn, addresses: facts.addresses, problem: facts.problem,
            connected: facts.connections.count,
            programs: facts.connections.prefix(Self.mostPrograms).map { connection in
                DialectList.Program(
                    address: connection.address, password: connection.password, role: connection.role, room: connection.room,
                    command: connection.lastCommand, wallMs: connection.lastMs)
            })
    }
}
