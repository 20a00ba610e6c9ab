import BatonCore
import BatonProtocol
import BatonSeams

/// Carries out commands in their order.
extension Session {
    /// Time after which other connections get their turn.
    private static let turnUs = 5_000
    /// Bytes of an answer that are sent before the rest of a list is carried out.
    static let pieceBytes = 1 << 16

    func begin(_ batch: Batch) {
        self.batch = batch
        run()
    }

    private func run() {
        let startUs = nowUs
        while let batch, !batch.isDone {
            if connection.unsentBytes > SongStream.waitingBytes { return goOnWhenRead() }
            if Int(nowUs - startUs) > Self.turnUs { return goOnLater() }
            switch perform(batch.lines[batch.place]) {
            case .done: finishCommand()
            case .later: return connection.pause()
            case .ended: return
            }
        }
        finish()
    }

    private func goOnLater() {
        connection.pause()
        alarm = ports.reactor.after(.zero) { [weak self] in
            guard let self, !isClosed else { return }
            run()
            resumeIfDone()
        }
    }

    /// A client that sends commands without reading their answers waits for itself.
    private func goOnWhenRead() {
        connection.pause()
        waitsToBeRead = true
    }

    /// Goes on once the client has read what was written.
    func wasRead() {
        guard waitsToBeRead, !isClosed else { return }
        waitsToBeRead = false
        run()
        resumeIfDone()
    }

    private func resumeIfDone() {
        if batch == nil, !isClosed { connection.resume() }
    }

    private func finishCommand() {
        guard let batch else { return }
        if batch.showsOK { for _ in 0..<batch.width { text.whole("list_OK") } }
        batch.place += batch.width
        batch.width = 1
        if text.bytes.count > Self.pieceBytes { flush() }
    }

    private func finish() {
        guard batch != nil else { return }
        batch = nil
        text.whole("OK")
        flush()
    }

    private func fail(_ ack: Ack) {
        guard let batch else { return }
        text.whole(ack.line(index: batch.place, command: batch.command))
        self.batch = nil
        flush()
    }

    // MARK: One command

    private func perform(_ line: [UInt8]) -> Progress {
        do throws(LineWords.Fault) {
            return perform(try LineWords(line))
        } catch {
            batch?.command = ""
            switch error {
            case .foreign:
                batch = nil
                connection.close()
            case .farewell(let ack):
                fail(ack)
                connection.close()
            case .refused(let ack): fail(ack)
            }
            return .ended
        }
    }

    private func perform(_ words: LineWords) -> Progress {
        batch?.command = ""
        do throws(Ack) {
            guard let command = AllCommands.named(words.command) else {
                throw Ack(.unknown, "unknown command \"\(words.command)\"")
            }
            batch?.command = command.name
            try command.check(words.arguments.count, for: client.role)
            note(command.name)
            if let plan = plan(command) { return go(try carryOut(plan)) }
            return go(try command.handler(self, words.arguments))
        } catch {
            fail(error)
            return .ended
        }
    }

    /// The plan for this command of a list and those behind it.
    private func plan(_ command: AllCommands.Row) -> ListPlan? {
        guard let batch, batch.isList, !batch.isLast, command.role.map({ client.role ?? .listener >= $0 }) ?? true else {
            return nil
        }
        return ListPlan(beginningWith: command.name, batch.lines[batch.place...])
    }

    private func go(_ step: Step) -> Progress {
        switch step {
        case .done: return .done
        case .waiting(let events):
            batch = nil
            flush()
            beginIdle(for: events)
            return .ended
        case .closing:
            batch = nil
            flush()
            connection.close()
            return .ended
        case .asking(let command, let then): return ask(command, then)
        case .working(let body):
            begin(body)
            return .later
        }
    }

    // MARK: Asking the hub

    private func ask(_ command: any CommandRequest, _ then: @escaping @Loop (Reply) throws(Ack) -> Step) -> Progress {
        if let waitMs = countLine() {
            // A rate is no fault of a client whose protocol has no word for it: it is served later.
            alarm = ports.reactor.after(.milliseconds(waitMs)) { [weak self] in
                guard let self, !isClosed else { return }
                goOn(after: ask(command, then))
            }
            return .later
        }
        answered = nil
        let context = context(for: command)
        let number = context.number
        ports.door.take(command, context) { [weak self] reply in self?.take(reply, to: number, then) }
        if let answered { return answered }
        awaited = number
        return .later
    }

    private func take(_ reply: Reply, to number: Int, _ then: @Loop (Reply) throws(Ack) -> Step) {
        guard !isClosed, batch != nil else { return }
        let isLate = awaited == number
        if isLate { awaited = nil }
        var progress: Progress
        do throws(Ack) {
            if case .failed(let error) = reply.outcome { throw Ack(error) }
            progress = go(try then(reply))
        } catch {
            fail(error)
            progress = .ended
        }
        // The answer leaves before others hear of the change.
        if case .done = progress, batch?.isLast == true {
            finishCommand()
            finish()
            progress = .ended
        }
        if isLate { goOn(after: progress) } else { answered = progress }
    }

    /// Goes on after something that has taken longer than a turn.
    private func goOn(after progress: Progress) {
        switch progress {
        case .later: return
        case .ended: break
        case .done:
            finishCommand()
            run()
        }
        resumeIfDone()
    }

    /// Counts the line against the connection's rate. Returns the time to wait; `nil` when it may go on.
    private func countLine() -> Milliseconds? {
        guard batch?.isCounted == false else { return nil }
        if let fault = ports.door.count(.lane(ownLane)) { return fault.retryAfterMs ?? 100 }
        batch?.isCounted = true
        return nil
    }

    // MARK: Work

    private func begin(_ body: @escaping @Loop () async throws(Ack) -> Void) {
        work = Task(executorPreference: Loop.jobs) { [weak self] in
            do throws(Ack) {
                try await body()
                await self?.worked(nil)
            } catch {
                await self?.worked(error)
            }
        }
    }

    private func worked(_ fault: Ack?) {
        work = nil
        guard !isClosed else { return }
        if let fault {
            fail(fault)
            goOn(after: .ended)
        } else {
            goOn(after: .done)
        }
    }

    /// Asks the hub from within work. The line counts once, however much it asks.
    func ask(_ command: any CommandRequest) async throws(Ack) -> Reply {
        while let waitMs = countLine() { await pass(.milliseconds(waitMs)) }
        guard !isClosed else { throw Self.closed }
        let context = context(for: command)
        let reply = await withCheckedContinuation { waiting in ports.door.take(command, context) { waiting.resume(returning: $0) } }
        guard !isClosed else { throw Self.closed }
        if case .failed(let error) = reply.outcome { throw Ack(error) }
        return reply
    }

    private func pass(_ time: Duration) async {
        await withCheckedContinuation { waiting in
            _ = ports.reactor.after(time) { waiting.resume() }
        }
    }

    /// Thrown within the work of a connection that has ended, and never sent.
    static let closed = Ack(.system, "The connection has ended.")
}
