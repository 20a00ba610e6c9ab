/// Sign-up, sign-in and sign-out, the current user, and the hub's capabilities.
import BatonCore
import BatonProtocol
import BatonSeams

extension MusicRoomServer {
    private static let body = 4_096

    func registerAccess(in routes: inout Routes) {
        routes.add([.get, .head], .exact("/api/status"), for: .visitors) { [self] _, _ in await status() }
        routes.add([.get, .head], .exact("/api/auth/me"), for: .visitors) { [self] request, grant in
            me(request, grant)
        }
        routes.add([.post], .exact("/api/auth/logout"), for: .visitors, bodyBytes: Self.body) { [self] request, _ in
            await signOut(request)
        }
        routes.add([.post], .exact("/api/auth/signup"), for: .visitors, bodyBytes: Self.body) { [self] request, grant in
            await enter(request, grant: grant) { users, wish, address throws(ProtocolFault) in
                try await users.signUp(wish.name, password: wish.password, from: address)
            }
        }
        routes.add([.post], .exact("/api/auth/login"), for: .visitors, bodyBytes: Self.body) { [self] request, grant in
            await enter(request, grant: grant) { users, wish, address throws(ProtocolFault) in
                try await users.signIn(wish.name, password: wish.password, from: address)
            }
        }
    }

    // MARK: What this hub can do

    /// The hub's status, for every client before sign-in. From `hub`, a hub that mirrors rooms detects that it has connected to itself.
    private func status() async -> HTTPResponse {
        let policy = ports.users?.policy
        let known = await namedCount()
        var tracks = 0
        if case .library(let library)? = ports.state.posted(.library, of: nil)?.value { tracks = library.tracks }
        return .roomJSON(
            200,
            RoomText.object { text in
                text.member("name", ports.identity.name)
                text.member("hub", ports.identity.id)
                text.member("allowGuests", policy?.guests != nil)
                text.member("signup", policy?.signUp.rawValue ?? "off")
                text.member("uploads", "off")
                text.member("urlImport", "off")
                text.name("ytdlp")
                text.object {
                    $0.member("enabled", false)
                    $0.member("available", false)
                }
                text.name("library")
                text.object {
                    $0.member("tracks", tracks)
                    // Tracks without an id are left out of the library until their files have been read.
                    $0.member("identified", known)
                }
            })
    }

    private func namedCount() async -> Int {
        guard let naming = parts.naming() else { return 0 }
        return await withTaskExecutorPreference(ports.media.blockingPool) { await Self.count(naming) }
    }

    private nonisolated static func count(_ naming: any ContentNaming) async -> Int { (try? naming.contentIDCount()) ?? 0 }

    // MARK: Sessions

    private typealias Entering = @Loop (any UserAccess, Credentials, _ address: String) async throws(ProtocolFault) -> SignedIn

    private func enter(_ request: HTTPRequest, grant: Grant, entering: Entering) async -> HTTPResponse {
        do throws(RoomRefusal) {
            let users = try users()
            guard request.peer.channel != .network || parts.takesPlainPasswords else {
                throw RoomRefusal(
                    403, "Passwords are not sent without encryption: use https, or the hub's owner sets musicroom_plain = yes.")
            }
            let wish = try read(request) { bytes throws(RoomFault) in try Credentials(bytes) }
            let entered: SignedIn
            do throws(ProtocolFault) { entered = try await entering(users, wish, request.peer.address) } catch {
                throw RoomRefusal(error)
            }
            return welcome(entered, for: request, grant: grant)
        } catch {
            return error.response
        }
    }

    private func users() throws(RoomRefusal) -> any UserAccess {
        guard let users = ports.users else {
            throw RoomRefusal(503, "This hub has no accounts to sign in with: its file of users could not be opened.")
        }
        return users
    }

    private func welcome(_ entered: SignedIn, for request: HTTPRequest, grant: Grant) -> HTTPResponse {
        .roomJSON(200, shown(entered.user, for: request, grant: grant), headers: [request.roomCookie(entered.token)])
    }

    private func shown(_ user: User, for request: HTTPRequest, grant: Grant) -> [UInt8] {
        let role = RoomVisitor.role(of: user, grant, over: request.peer.channel)
        var text = RoomText()
        RoomUser(name: user.name, isAdmin: role == .admin, isGuest: user.isGuest).write(into: &text)
        return text.bytes
    }

    /// The current user. A visitor without a session gets a guest's pass if guests are allowed. A page from elsewhere gets none, since it
    /// could request it in a visitor's browser.
    private func me(_ request: HTTPRequest, _ grant: Grant) -> HTTPResponse {
        do throws(RoomRefusal) {
            if let token = request.roomToken, let user = ports.users?.user(withToken: token) ?? ports.users?.guest(withPass: token) {
                return .roomJSON(200, shown(user, for: request, grant: grant))
            }
            guard let users = ports.users, users.policy.guests != nil, request.roomToken == nil, !request.isOfForeignPage else {
                throw RoomRefusal(401, "Sign in first.")
            }
            do throws(ProtocolFault) { return welcome(try users.guestPass(), for: request, grant: grant) } catch {
                throw RoomRefusal(error)
            }
        } catch {
            var response = error.response
            if error.status == 401, request.roomToken != nil { response.headers.append(request.roomCookie(nil)) }
            return response
        }
    }

    /// Succeeds even if the session has already ended.
    private func signOut(_ request: HTTPRequest) async -> HTTPResponse {
        if let token = request.roomToken {
            do throws(ProtocolFault) { try await ports.users?.signOut(token: token) } catch { return RoomRefusal(error).response }
            sessions.forget(token)
        }
        var response = HTTPResponse.roomDone
        response.headers.append(request.roomCookie(nil))
        return response
    }
}
