import BatonClient
import BatonProtocol

extension Mirror {
    /// The problems without those of server accounts, which are listed with the accounts. Both sentences may be
    /// truncated.
    var problemsOfPlaying: [HubProblem] {
        let ofAccounts = (sources?.sources ?? []).compactMap(\.sentence).map { $0.prefix { $0 != "…" } }
        return (hub?.problems ?? []).filter { problem in
            let said = problem.message.prefix { $0 != "…" }
            return problem.room != nil || !ofAccounts.contains { $0.hasPrefix(said) || said.hasPrefix($0) }
        }
    }
}
