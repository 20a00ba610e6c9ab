import BatonClient
import BatonProtocol

extension Mirror {
    /// The problems without those of accounts at servers, which stand with the accounts. Either sentence may have been cut.
    var problemsOfPlaying: [HubSection.Problem] {
        let ofAccounts = (sources?.sources ?? []).compactMap(\.sentence).map { $0.prefix { $0 != "…" } }
        return (hub?.problems ?? []).filter { problem in
            let said = problem.message.prefix { $0 != "…" }
            return problem.room != nil || !ofAccounts.contains { $0.hasPrefix(said) || said.hasPrefix($0) }
        }
    }
}
