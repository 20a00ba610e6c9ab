/// What the hub remembers of one signed-in session, over all of its connections: which queue it was sent last, by whichever way.
import BatonCore
import BatonProtocol
import BatonSeams

@Loop
final class RoomSession {
    let token: String
    /// The number of the queue that it was sent last, of each room.
    var sentQueues: [RoomID: Int] = [:]
    /// The revision of each playlist that it was sent last.
    var sentPlaylists: [PlaylistID: Int] = [:]
    var sockets = 0
    var usedUs: Int64 = 0

    static let mostSockets = 8
    private static let mostPlaylists = 200

    init(token: String) { self.token = token }

    func note(_ list: PlaylistID, revision: Int) {
        if sentPlaylists.count >= Self.mostPlaylists, sentPlaylists[list] == nil { sentPlaylists = [:] }
        sentPlaylists[list] = revision
    }
}

/// The sessions that were heard of lately. Each can be forgotten: its next request is about the queue as it is then.
@Loop
final class RoomSessions {
    private var all: [String: RoomSession] = [:]
    private let most: Int

    init(most: Int = 4_096) { self.most = most }

    var count: Int { all.count }

    func session(of token: String, atUs nowUs: Int64) -> RoomSession {
        let session = all[token] ?? RoomSession(token: token)
        session.usedUs = nowUs
        if all[token] == nil {
            if all.count >= most { forgetOldest() }
            all[token] = session
        }
        return session
    }

    func forget(_ token: String) { all[token] = nil }

    /// The quarter of those without a socket that was heard of longest ago.
    private func forgetOldest() {
        let quiet = all.values.filter { $0.sockets == 0 }.sorted { $0.usedUs < $1.usedUs }
        for session in quiet.prefix(max(1, most / 4)) { all[session.token] = nil }
    }
}
