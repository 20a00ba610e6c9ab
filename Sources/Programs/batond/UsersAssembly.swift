/// User accounts: `users.db`, and the hashing of passwords.
///
/// It is opened before the loop runs, because reconnecting devices show their users' tokens at once. If `users.db`
/// cannot be opened, the hub reports why and runs without users.
import BatonCore
import BatonHub
import BatonKernel
import BatonProtocol
import BatonSeams
import Configuration
import Crypto
import EventLoop
import Stores

struct UsersAssembly: Sendable {
    private let store: UserStore
    private let table: UserTable

    /// Opens the store. Blocks on the disk.
    static func open(_ settings: HubSettings, _ log: Log) -> UsersAssembly? {
        do throws(SourceFault) {
            let store = try UserStore(folder: settings.data)
            for notice in store.notices { log(.warning, notice) }
            return UsersAssembly(store: store, table: try store.load())
        } catch {
            log(.error, "The users cannot be opened, so the hub goes on without them: \(error.sentence)")
            return nil
        }
    }

    @Loop
    func registry(_ settings: HubSettings, on loop: EventLoop, log: Log) -> UserRegistry {
        UserRegistry(
            UserRegistry.Parts(
                cryptography: OpenSSL(), passwords: PasswordQueue(), storage: store,
                policy: Self.policy(of: settings),
                guestStayMs: settings.guestHours == 0 ? nil : Milliseconds(settings.guestHours) * 3_600_000, pool: loop.blockingPool),
            table, reactor: loop, log: log, wallMs: { Clock.system.wallMs })
    }

    static func policy(of settings: HubSettings) -> UserPolicy {
        UserPolicy(signUp: settings.signUp, guests: Role(rawValue: settings.guests.rawValue))
    }

    func close() { store.close() }
}
