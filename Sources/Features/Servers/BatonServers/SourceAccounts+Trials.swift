import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Tests of accounts before they are added. Nothing of them remains: they are no source, and neither their secrets nor their
/// connector's notes are written.
extension SourceAccounts {
    /// Limit on running tests, since each may wait for a server that does not answer.
    private static let mostTrials = 4

    func tryOut(_ trial: Commands.SourceTest) async throws(SourceFault) -> SourceTested {
        let (kindName, url) = (trial.kind ?? "", trial.url ?? "")
        let (parts, kind) = try checked(kindName, trial.options)
        try check(trial.login.secrets, kind)
        guard trials < Self.mostTrials else {
            throw SourceFault(.unavailable, "Other accounts are being tested. Try again in a moment.")
        }
        trials += 1
        defer { trials -= 1 }
        let host = SourceAccount(name: "trial", kind: kindName, url: url).host
        let account = SourceAccount(name: "trial", title: host, kind: kindName, url: url, options: trial.options)
        let beganUs = sources.reactor.nowUs
        do throws(SourceFault) {
            let connector = try kind.make(account, trial.login.secrets, parts.sourceParts(DiscardingMemory()))
            let question = Question<Void>()
            let late = SourceFault(.unavailable, "\(account.host) takes too long to answer.")
            question.ask(in: sources.blockingPool, within: Sources.Limit.check, sources.reactor, orElse: late) {
                () async throws(SourceFault) in
                try await connector.check()
            }
            try await question.answer.get()
        } catch {
            guard error.code != .cancelled, error.code != .badRequest else { throw error }
            return SourceTested(state: .down, sentence: error.sentence, asks: error.asks?.rawValue)
        }
        return SourceTested(state: .ok, sentence: nil, latencyMs: Milliseconds(sources.reactor.nowUs - beganUs))
    }
}

/// The memory of a connector whose account is not stored. It drops everything.
private struct DiscardingMemory: SourceMemory {
    func value(_ name: String) -> String? { nil }
    func store(_ value: String?, _ name: String) {}
}
