import BatonCore
import BatonKernel
import BatonSeams

/// Checks for the next piece, after each change of a room's queue or of a job.
extension EndlessService {
    /// Time between two checks. A room changes many times a second while its volume is turned.
    private static let pace = Duration.milliseconds(200)

    func roomChanged(_ live: LiveRoom) { if hasPlans, plans[live.id] != nil { lookSoon() } }

    func hear(_ news: MakingNews) {
        guard case .stepped(let job) = news else { return }
        if plans.values.contains(where: { $0.isOn && $0.number(of: job.id) != nil }) { lookSoon() }
    }

    func lookSoon() {
        guard alarm == nil, !isClosed, !jobs.sources.hold.isOn, plans.values.contains(where: \.isOn) else { return }
        alarm = clock.after(Self.pace) { [weak self] in
            self?.alarm = nil
            self?.look()
        }
    }

    private func look() {
        for room in plans.keys {
            guard let live = rooms.all.first(where: { $0.room.id == room }), !live.isGone else {
                plans[room] = nil
                keep(nil, room)
                continue
            }
            if busy[room] == nil { look(at: live) }
        }
    }

    private func look(at live: LiveRoom) {
        let room = live.id
        guard var plan = plans[room] else { return }
        let before = plan
        let steps = plan.steps(pieces(of: plan, in: live), nowMs: clock.wallMs())
        plans[room] = plan
        if plan != before { keep(plan, room) }
        for step in steps {
            switch step {
            case .make(let number, let isBuiltIn): ask(for: number, isBuiltIn, live)
            case .drop(let number): drop(plan.id(number), live)
            case .end(let sentence): log(.notice, "\(live.room.name): \(sentence)")
            }
        }
        show(room)
    }

    func known(_ plan: EndlessPlan) -> [(number: Int, job: GenerationJob)] {
        jobs.queue.jobs.values.compactMap { job in plan.number(of: job.id).map { ($0, job) } }
    }

    /// The state of the run's pieces. A job that is only in the store is finished.
    func pieces(of plan: EndlessPlan, in live: LiveRoom) -> [EndlessPlan.Piece] {
        let ahead = Set(live.entriesAhead.compactMap { plan.number(of: $0) })
        let known = self.known(plan)
        let old = ahead.subtracting(known.map(\.number)).map {
            EndlessPlan.Piece(number: $0, state: .ready, isBuiltIn: true, isAhead: true)
        }
        return old
            + known.map { number, job in
                EndlessPlan.Piece(
                    number: number, state: job.state, isBuiltIn: job.worker == self.jobs.workers.builtIn?.name,
                    isAhead: ahead.contains(number),
                    sentence: job.sentence)
            }
    }

    func isQueued(_ uri: ItemURI) -> Bool { rooms.all.contains { $0.room.queue.entries.contains { $0.uri == uri } } }
}

extension EndlessPlan {
    /// The piece number of this entry.
    func number(of entry: QueueEntry) -> Int? { GenerationJob.id(in: entry.uri).flatMap(number(of:)) }
}

extension LiveRoom {
    /// The entries after the current one. A current entry that has not started counts as well.
    fileprivate var entriesAhead: ArraySlice<QueueEntry> {
        guard let current = room.queue.currentIndex else { return [] }
        let hasBegun = isPlaying || room.timeline.state == .paused
        return room.queue.entries[(hasBegun ? current + 1 : current)...]
    }
}
