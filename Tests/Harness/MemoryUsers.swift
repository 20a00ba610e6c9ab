package import BatonSeams
import Synchronization

/// Users in memory, across simulated crashes of a hub. The disk can be full.
package final class MemoryUsers: UserStorage {
    private struct State {
        var table = UserTable()
        var fault: SourceFault?
    }

    private let state = Mutex(State())

    package init() {}

    package func fail(with fault: SourceFault?) { state.withLock { $0.fault = fault } }

    package func load() throws(SourceFault) -> UserTable { state.withLock { $0.table } }

    package func store(_ changes: [UserChange]) throws(SourceFault) {
        let fault = state.withLock { state in
            if state.fault == nil { for change in changes { Self.apply(change, to: &state.table) } }
            return state.fault
        }
        if let fault { throw fault }
    }

    private static func apply(_ change: UserChange, to table: inout UserTable) {
        switch change {
        case .put(let user):
            table.users.removeAll { $0.user.key == user.user.key }
            table.users.append(user)
        case .remove(let key):
            table.users.removeAll { $0.user.key == key }
            table.sessions.removeAll { $0.user == key }
            table.links.removeAll { $0.user == key }
        case .open(let session): table.sessions.append(session)
        case .end(let hash): table.sessions.removeAll { $0.hash == hash }
        case .link(let link):
            table.links.removeAll { $0.device == link.device }
            table.links.append(link)
        case .control(let room, let control): table.controls[room] = control
        case .unlink(let device): table.links.removeAll { $0.device == device }
        }
    }
}

/// Passwords that cost nothing: the hash is the password. How many were computed is counted, also of unknown names.
package final class PlainPasswords: PasswordHashing {
    private let counted = Mutex(0)
    private let full = Mutex(false)

    package init() {}

    package var computed: Int { counted.withLock { $0 } }
    /// Too many wait.
    package func setFull(_ isFull: Bool) { full.withLock { $0 = isFull } }

    package func hash(_ password: String) async -> PasswordHash? {
        if full.withLock({ $0 }) { return nil }
        counted.withLock { $0 += 1 }
        return PasswordHash(cost: PasswordCost(rounds: 2, blocks: 1, lanes: 1), salt: [], hash: Array(password.utf8))
    }

    package func matches(_ password: String, _ kept: PasswordHash?) async -> Bool? {
        if full.withLock({ $0 }) { return nil }
        counted.withLock { $0 += 1 }
        return kept?.hash == Array(password.utf8)
    }
}
