import BatonCore
package import BatonKernel
import BatonProtocol
package import BatonSeams

/// Commands for the hub's owners: the lines of its log. Backups and monitoring have routes of their own.
@Loop
package final class AdminFeature: Feature {
    package let name = FeatureName.admin
    private let information: HubInformation
    private let ledger: Ledger

    package init(_ kernel: Kernel) {
        information = kernel.information
        ledger = kernel.ledger
    }

    package var profiles: Set<HubProfile> { [.admin] }

    package func install(in commands: CommandTable) {
        commands.answer(Commands.ReadLog.self) { [information, ledger] command, accepted throws(ProtocolFault) in
            guard let log = information.program?.logLines(command) else {
                throw ProtocolFault(.unsupported, "This hub keeps no lines of its log.")
            }
            return ledger.found(log, for: accepted)
        }
    }
}

extension FeatureName {
    package static let admin = FeatureName("admin")
}
