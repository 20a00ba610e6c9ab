/// One signed-in session over all of its connections: the queue that it got last, by any of them.
import BatonCore
import BatonProtocol
import BatonSeams

@Loop
final class RoomSession {
    let token: String
    /// The number of the queue that was sent last, for each room.
    var sentQueues: [RoomID: Int] = [:]
    /// The revision that was sent last, for each playlist.
    var sentPlaylists: [PlaylistID: Int] = [:]
    var sockets = 0
    var usedUs: Microseconds = 0

    static let mostSockets = 8
    private static let mostPlaylists = 200

    init(token: String) { self.token = token }

    func note(_ list: PlaylistID, revision: Int) {
        if sentPlaylists.count >= Self.mostPlaylists, sentPlaylists[list] == nil { sentPlaylists = [:] }
        sentPlaylists[list] = revision
    }
}

/// Recent sessions. Each can be dropped: its next request then refers to the current queue.
@Loop
final class RoomSessions {
    private var all: [String: RoomSession] = [:]
    private let most: Int

    init(most: Int = 4_096) { self.most = most }

    var count: Int { all.count }

    func session(of token: String, atUs nowUs: Microseconds) -> RoomSession {
        let session = all[token] ?? RoomSession(token: token)
        session.usedUs = nowUs
        if all[token] == nil {
            if all.count >= most { forgetOldest() }
            all[token] = session
        }
        return session
    }

    func forget(_ token: String) { all[token] = nil }

    /// Drops the least recently used quarter of the sessions without a socket.
    private func forgetOldest() {
        let quiet = all.values.filter { $0.sockets == 0 }.sorted { $0.usedUs < $1.usedUs }
        for session in quiet.prefix(max(1, most / 4)) { all[session.token] = nil }
    }
}
