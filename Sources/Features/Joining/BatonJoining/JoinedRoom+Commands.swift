/// Commands in a joined room. They go to its server, and count as done when the server's state shows the result.
import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

extension JoinedRoom {
    /// The known state of the server's room.
    var view: JoinedPress.View {
        let queue = live.room.queue
        return JoinedPress.View(
            queue: queue, start: live.room.joinedStart, length: queueLength, isPaused: state?.isPaused ?? true,
            positionMs: Milliseconds(expectedMs ?? 0), mode: state?.mode)
    }

    private var queueLength: Int { max(knownLength, live.room.joinedStart + live.room.queue.count) }

    /// Carries out the steps one after the other; each waits for its result.
    func carryOut(_ steps: [JoinedPress.Step]) async throws(SourceFault) {
        for step in steps {
            guard case .open(let connection) = link else { throw notConnected }
            guard !presses.isFull else {
                throw SourceFault(.unavailable, "Too many commands wait for “\(sourceTitle)” to show them.")
            }
            let late = SourceFault(
                .unavailable, "“\(sourceTitle)” was asked, and no state of its room has shown it within 5 s. It may still happen.")
            let press = presses.add(step.sign, by: parts.clock, otherwise: late)
            defer { presses.remove(press) }
            let action = step.action
            note("Sent: \(action.word).")
            do throws(SourceFault) {
                try await parts.sources.inBlockingPool { () async throws(SourceFault) in try await connection.send(action) }
            } catch {
                press.settle(error)
            }
            if let fault = await press.wait() { throw fault }
        }
    }

    private var notConnected: SourceFault {
        switch link {
        case .ended(let sentence): SourceFault(.unavailable, sentence)
        case .waiting, .connecting, .open:
            SourceFault(.unavailable, "There is no connection to “\(sourceTitle)” just now. The hub opens it again; try in a moment.")
        }
    }
}

extension ServerRoomAction {
    /// The step's name in the list of events.
    fileprivate var word: String {
        switch self {
        case .pause: "pause"
        case .unpause: "unpause"
        case .seek(let toMs): "seek to \(toMs) ms"
        case .jump(let place): "jump to entry \(place)"
        case .setMode(let mode): "mode \(mode.rawValue)"
        case .add(let uris, let place): "add \(uris.count)" + (place.map { " at \($0)" } ?? "")
        case .remove(let places): "remove \(places.count)"
        case .move(let from, let to): "move \(from) to \(to)"
        case .replace(let uris): "a queue of \(uris.count)"
        }
    }
}
