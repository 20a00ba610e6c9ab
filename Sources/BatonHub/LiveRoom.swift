import BatonCore
import BatonSeams

/// One room as it lives: the value that decides, and the stage that carries out.
@Loop
final class LiveRoom {
    var room: Room
    var output: String?
    var stage: Stage!
    /// Its soft state is newer than what is kept.
    var isUnwritten = false
    /// Steps of its queue happened that could not be kept; the next write brings the whole queue.
    var isQueueUnwritten = false

    init(_ room: Room) { self.room = room }
}
