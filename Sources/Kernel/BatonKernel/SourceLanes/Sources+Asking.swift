package import BatonCore
package import BatonSeams

/// Asking: each question goes through the lane of its source and has a time limit.
extension Sources {
    /// Asks a source and waits for the answer, at most until the limit. While the source is down, its mirror answers, or the question fails
    /// at once.
    package func ask<Answer: Sendable>(
        _ connector: any Connector, within limit: Duration, outlastsSilence: Bool = false,
        _ question: @escaping @Sendable (any Connector) async throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        try await answer(to: begin(connector, within: limit, outlastsSilence: outlastsSilence, question))
    }

    /// Starts a question without waiting, so that several sources can be asked at once.
    package func begin<Answer: Sendable>(
        _ connector: any Connector, within limit: Duration, outlastsSilence: Bool = false,
        _ question: @escaping @Sendable (any Connector) async throws(SourceFault) -> Answer
    ) throws(SourceFault) -> AskedSource<Answer> {
        let source = connector.source
        let sentences = SourceLane.Sentences(connector: connector)
        let absence = health.problem(of: source).map { SourceFault(.unavailable, $0) }
        guard let mirror = mirrors[source] else {
            if let absence { throw absence }
            return AskedSource(
                connector,
                try lane(of: source).ask(within: limit, sentences, outlastsSilence: outlastsSilence) {
                    () async throws(SourceFault) in try await question(connector)
                })
        }
        let checkAfterFailure: @Sendable () async -> Void = { [weak self] in await self?.checkAfterFailure(connector) }
        // The mirror is on the hub's own disk, so this does not ask the source.
        let notes: @Loop (SourceFault) -> Question<Answer> = { [self] absence in
            let mirrored = MirroredSource(connector: connector, mirror: mirror, absence: absence, checkAfterFailure: checkAfterFailure)
            let answer = Question<Answer>()
            answer.ask(in: blockingPool, within: limit, reactor, orElse: sentences.late) { () async throws(SourceFault) in
                try await question(mirrored)
            }
            return answer
        }
        if let absence { return AskedSource(connector, notes(absence)) }
        let mirrored = MirroredSource(connector: connector, mirror: mirror, absence: nil, checkAfterFailure: checkAfterFailure)
        let asked = try lane(of: source).ask(within: limit, sentences, outlastsSilence: outlastsSilence) {
            () async throws(SourceFault) in try await question(mirrored)
        }
        return AskedSource(connector, asked, orElse: notes)
    }

    /// The answer to a question that was begun. If it is late, the mirror is asked instead.
    package func answer<Answer>(to asked: AskedSource<Answer>) async throws(SourceFault) -> Answer {
        switch await asked.question.answer {
        case .success(let answer): return answer
        case .failure(let fault):
            guard fault.code == .unavailable else { throw fault }
            checkAfterFailure(asked.connector)
            guard fault.isLate, let notes = asked.notes else { throw fault }
            return try await notes(fault).answer.get()
        }
    }

    /// The tracks in a container, from the mirror of its source.
    package func mirroredTracks(of uri: ItemURI, in source: String) async -> [ItemURI] {
        guard let mirror = mirrors[source] else { return [] }
        let rows = try? await inBlockingPool { () async throws(SourceFault) in try mirror.tracks(of: uri, in: source) }
        return (rows ?? []).map(\.uri)
    }

    /// True while other questions run that background work would delay.
    package func isBusy(_ source: String) -> Bool { lanes.isBusy(source) }

    func lane(of source: String) -> SourceLane {
        // A disk that hangs blocks some of its questions, and its source reports them.
        let whenSilent: @Loop () -> Void = { [weak self] in
            if let self, let connector = connectors.first(where: { $0.source == source }) { checkAfterFailure(connector) }
        }
        return lanes.lane(of: source, whenSilent: remoteNames.contains(source) ? whenSilent : nil)
    }

    /// Runs blocking work without a time limit, since its result must be known. Quiet work has lower priority than all other
    /// threads.
    package func inBlockingPool<Answer: Sendable>(
        isQuiet: Bool = false, _ body: @escaping @Sendable () async throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        try await withTaskExecutorPreference(isQuiet ? quietPool : blockingPool) { () async throws(SourceFault) in try await body() }
    }
}

/// A question to one source, with the mirror that answers when the source does not.
package struct AskedSource<Answer: Sendable> {
    let connector: any Connector
    let question: Question<Answer>
    /// The question to the mirror; `nil` without a mirror, or when the mirror is asked already.
    let notes: (@Loop (SourceFault) -> Question<Answer>)?

    init(_ connector: any Connector, _ question: Question<Answer>, orElse notes: (@Loop (SourceFault) -> Question<Answer>)? = nil) {
        self.connector = connector
        self.question = question
        self.notes = notes
    }
}
