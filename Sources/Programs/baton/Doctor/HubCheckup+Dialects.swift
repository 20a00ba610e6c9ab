import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Other protocols by which programs control the hub.
extension HubCheckup {
    static func dialects(_ hub: ReconnectingHub) async throws -> DialectList? {
        do {
            return try await hub.ask(Commands.Dialects())
        } catch is MissingProfile {
            return nil
        } catch let error as WireError where [.forbidden, .unknownCommand].contains(error.known) {
            // A hub with an earlier version of the profile does not know the command.
            return nil
        }
    }

    var otherProtocols: [Finding] {
        (dialects?.rows ?? []).map { row in
            guard row.isOn, row.problem != nil else { return .ok(row.dialect, row.sentence) }
            return .warn(
                row.dialect, row.sentence,
                advice: "Free what it needs, or choose another address in the hub's settings; then switch it off and on again.")
        }
    }
}
