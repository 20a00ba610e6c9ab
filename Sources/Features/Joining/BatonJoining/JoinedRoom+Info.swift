import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// The facts of a joined room that people are shown.
extension JoinedRoom {
    var info: JoinedRoomInfo {
        var info = JoinedRoomInfo()
        info.source = source
        info.room = room
        info.name = name
        (info.state, info.sentence) = shownState
        info.attempt = attempt
        info.listeners = people
        info.listenerCount = peopleCount
        info.length = view.length
        info.expectedMs = expectedMs.map { Milliseconds($0) }
        info.ownMs = ownMs.map { Milliseconds($0) }
        info.driftMs = ownMs.flatMap { own in expectedMs.map { Milliseconds((own - $0).rounded()) } }
        info.speed = timing.speed
        info.events = events.list.map { .init(atMs: $0.atMs, text: $0.text) }
        return info
    }

    private var shownState: (JoinedRoomInfo.State, String?) {
        switch link {
        case .connecting: (.connecting, nil)
        case .open: (.open, nil)
        case .waiting(let untilUs): (.waiting, "The hub tries again in \(max(0, (untilUs - parts.clock.nowUs).count / 1_000_000)) s.")
        case .ended(let sentence): (.ended, sentence)
        }
    }
}
