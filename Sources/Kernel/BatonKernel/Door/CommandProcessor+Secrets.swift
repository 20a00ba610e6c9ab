import BatonCore
import BatonProtocol
import BatonSeams

extension CommandProcessor {
    /// Carries out a command whose answer holds secrets. Key and answer are remembered in memory alone.
    func secret(_ asked: any CommandRequest, of command: PendingCommand, in live: LiveRoom?) throws(ProtocolFault) -> Handling {
        let context = command.context
        let name = context.key.map { SecretAnswers.Name(principal: context.identity.principal, key: $0.text) }
        let fingerprint = context.key?.fingerprint ?? 0
        if let name, let known = try secrets.known(name, fingerprint) {
            switch known {
            case .answered(let reply): return .answered(again(reply, context))
            case .inWork(let first): return .working { [self] in again(await first.answer, context) }
            }
        }
        if let name, try ledger.knows(name.key, of: name.principal, for: asked.kind) { throw .keyMismatch }
        try checkAge(context)
        let accepted = AcceptedCommand(context: context, live: try there(live, context), key: nil, halts: command.halts)
        let handling = try table.handle(asked, accepted)
        guard let name else { return handling }
        secrets.begin(name, fingerprint)
        switch handling {
        case .answered(let answer):
            secrets.end(name, with: answer.reply)
            return .answered(answer)
        case .working(let work):
            return .working { [secrets] in
                let answer = await work()
                secrets.end(name, with: answer.reply)
                return answer
            }
        }
    }

    private func again(_ reply: Reply, _ context: CommandContext) -> Answer {
        Answer(again: reply, id: context.number, revision: ledger.revision, queue: nil)
    }
}
