import BatonCore
import BatonSeams

/// The built-in composer among the workers.
extension GenerationService {
    var builtIn: (any GenerationWorker)? { workers.all.first { $0.about.kind == .builtIn } }

    /// The first piece of the room that waits for the composer, which has not heard of it yet.
    func waitingPiece(of room: RoomID) -> String? {
        order.first { id in
            guard let job = jobs[id] else { return false }
            return job.room == room && job.state == .submitting && running[id] == nil && job.worker == builtIn?.name
        }
    }
}
