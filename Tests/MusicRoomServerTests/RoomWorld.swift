/// A hub in memory with the dialect of music rooms, users who can sign in, and a library with names: what the tests of this folder share.
import BatonCore
import BatonHub
import BatonJSON
import BatonLibrary
import BatonProtocol
import BatonSeams
import Companion
import Crypto
import Harness

@testable import MusicRoomServer

@Loop
final class RoomWorld {
    let sim: SimulatedHub
    let users = MemoryUsers()
    let library = MemoryNames()
    let rooms: MusicRoomServer
    let reception: any Reception

    init(
        hasUsers: Bool = true, lanPlain: Role? = nil, takesPlainPasswords: Bool = false, limits: WireLimits = .standard,
        library parts: LibraryParts? = nil
    ) throws {
        sim = try SimulatedHub(limits: limits, library: parts)
        var ports = sim.hub.ports
        ports.users = hasUsers ? users : nil
        var routes = Routes()
        rooms = MusicRoomServer(
            ports,
            .init(
                takesPlainPasswords: takesPlainPasswords, naming: { [library] in library }, sha256: { OpenSSL().sha256($0) }))
        sim.hub.add(rooms)
        rooms.register(in: &routes)
        let policy = AdmissionPolicy(lanPlain: lanPlain)
        RequestRouter.register(sim.companion, policy, in: &routes)
        reception = RequestRouter.reception(of: routes, sim.companion, policy)
    }

    // MARK: Requests

    struct Said {
        let response: HTTPResponse
        let body: [UInt8]
        var status: Int { response.status }
        var json: JSON? {
            var limits = JSONLimits.standard
            limits.elements = 100_000
            return try? JSON.parse(body, limits: limits)
        }
        var sentence: String? { json?["error"]?.string }
        var cookie: String? { response.headers.last { $0.name == "set-cookie" }?.value }
        /// The token in it.
        var token: String? { cookie?.split(separator: ";").first?.split(separator: "=").dropFirst().first.map(String.init) }
    }

    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", as token: String? = nil, over channel: Peer.Channel = .loopback,
        headers: [String: String] = [:]
    ) async -> Said {
        let response = await reception.respond(to: request(method, path, body, token, channel, headers))
        var whole = response.body
        if method != .head, let stream = response.stream {
            func left() -> Int { stream.length.map { Int($0) - whole.count } ?? 96 * 1024 }
            while left() > 0, let piece = await stream.read(stream.start + Int64(whole.count), min(left(), 96 * 1024)), !piece.isEmpty {
                whole += piece
            }
        }
        return Said(response: response, body: whole)
    }

    private func request(
        _ method: HTTPRequest.Method, _ path: String, _ body: String, _ token: String?, _ channel: Peer.Channel, _ headers: [String: String]
    ) -> HTTPRequest {
        var headers = headers
        let isNear = channel == .loopback
        headers["host"] = headers["host"] ?? (isNear ? "127.0.0.1:9442" : "192.168.1.7:9442")
        if let token { headers["cookie"] = "other=1; blastoise_session=\(token)" }
        let peer = Peer(channel: channel, address: isNear ? "127.0.0.1" : "192.168.1.9")
        return HTTPRequest(method: method, path: path, headers: headers, body: Array(body.utf8), peer: peer)
    }

    /// The token of a user who has signed in.
    func signedIn(_ name: String, _ role: Role = .remote) -> String { users.enter(name, role) }

    // MARK: Sockets

    struct Refused: Error { let status: Int }

    func open(_ room: String = "main", as token: String?, headers: [String: String] = [:]) throws -> RoomPeer {
        switch reception.upgrade(request(.get, "/api/channels/\(room)/ws", "", token, .loopback, headers)) {
        case .accept(let owner): return RoomPeer(owner)
        case .refuse(let response):
            throw Refused(status: response.status)
        }
    }

    /// A room whose queue has so many entries.
    func play(_ count: Int) async throws {
        let remote = try sim.remote(id: "owner-1")
        _ = await remote.awaitReply(remote.send(Commands.Play(ItemURI("file:track/album:\(count)")), key: "play-it"))
    }

    /// Lets at most so much time pass, until what needs both time and work that leaves the loop has happened.
    func pass(_ most: Duration, until isDone: () -> Bool) async -> Bool {
        for _ in 0..<30 {
            sim.time.pass(most / 30)
            if await settle(turns: 4_000, isDone) { return true }
        }
        return false
    }

    /// Until work that leaves the loop has come back.
    func settle(turns: Int = 100_000, _ isDone: () -> Bool) async -> Bool {
        for _ in 0..<turns {
            if isDone() { return true }
            sim.time.settle()
            await Task.yield()
        }
        return false
    }
}

/// A WebSocket in memory. It keeps what it was sent, and can stop reading.
@Loop
final class RoomPeer: Link {
    let peer = Peer(channel: .loopback, address: "127.0.0.1")
    let exporter: [UInt8]? = nil
    var bounds = LinkBounds(
        textBytes: 0, binaryBytes: 0, patience: Patience(pingMs: 1, endMs: 1),
        allowance: FrameAllowance(perSecond: 1, burst: 1, late: 1, windowMs: 1))
    private(set) var messages: [JSON] = []
    private(set) var bytes = 0
    private(set) var closed: UInt16?
    private var wantsWritable = false
    private let owner: any LinkOwner
    var isReading = true {
        didSet { becomeWritable() }
    }

    init(_ owner: any LinkOwner) {
        self.owner = owner
        owner.linkOpened(self)
    }

    var isReady: Bool { isReading && closed == nil }

    func write(_ frame: Frame) {
        bytes += frame.payloadCount
        var limits = JSONLimits.standard
        limits.elements = 100_000
        if let json = try? JSON.parse(frame.payload, limits: limits) { messages.append(json) }
    }

    func write(_ frame: Frame, then next: Frame) {
        write(frame)
        write(next)
    }

    func wantWritable() {
        wantsWritable = true
        becomeWritable()
    }

    private func becomeWritable() {
        guard wantsWritable, isReady else { return }
        wantsWritable = false
        owner.linkWritable()
    }

    func close(_ code: UInt16, _ reason: String) {
        guard closed == nil else { return }
        closed = code
        owner.linkClosed()
    }

    func send(_ text: String) { owner.linkReceived(text: Array(text.utf8)) }

    // MARK: What it was sent

    var states: [JSON] { messages.filter { $0["type"] == nil } }
    func typed(_ type: String) -> [JSON] { messages.filter { $0["type"]?.string == type } }
    func forget() { messages = [] }
}

/// Users in memory, with the rules of the seam and no cryptography.
@Loop
final class MemoryUsers: UserAccess {
    var policy = UserPolicy(signUp: .open)
    private var passwords: [String: String] = [:]
    private var users: [String: User] = [:]
    private var tokens: [String: String] = [:]
    private var number = 0

    func enter(_ name: String, _ role: Role, isGuest: Bool = false) -> String {
        number += 1
        let key = name.lowercased()
        users[key] = users[key] ?? User(name: name, role: role, isGuest: isGuest, createdMs: 1)
        tokens["token-\(number)"] = key
        return "token-\(number)"
    }

    func setPassword(_ password: String, of name: String) { passwords[name.lowercased()] = password }

    func signUp(_ name: String, password: String, from address: String) async throws(ProtocolFault) -> SignedIn {
        guard policy.signUp == .open else { throw ProtocolFault(.forbidden, "An admin has to let you in first.") }
        guard users[name.lowercased()] == nil else { throw ProtocolFault(.invalidState, "This name is taken.") }
        passwords[name.lowercased()] = password
        let token = enter(name, .remote)
        return SignedIn(user: try found(name), token: token)
    }

    func signIn(_ name: String, password: String, from address: String) async throws(ProtocolFault) -> SignedIn {
        guard passwords[name.lowercased()] == password else {
            throw ProtocolFault(.wrongPassword, "The name or the password is wrong.")
        }
        let user = try found(name)
        return SignedIn(user: user, token: enter(name, user.role))
    }

    private func found(_ name: String) throws(ProtocolFault) -> User {
        guard let user = users[name.lowercased()] else { throw ProtocolFault(.wrongPassword, "The name or the password is wrong.") }
        return user
    }

    func enterAsGuest(named name: String?, from address: String) async throws(ProtocolFault) -> SignedIn {
        guard let role = policy.guests else { throw ProtocolFault(.forbidden, "No guests.") }
        let name = name ?? "Guest \(number + 1)"
        let token = enter(name, role, isGuest: true)
        return SignedIn(user: try found(name), token: token)
    }

    func guestPass() throws(ProtocolFault) -> SignedIn {
        guard let role = policy.guests else { throw ProtocolFault(.forbidden, "No guests.") }
        number += 1
        return SignedIn(user: User(name: "guest \(number)", role: role, isGuest: true, createdMs: 1), token: "pass-\(number)")
    }

    func guest(withPass pass: String) -> User? {
        guard let role = policy.guests, pass.hasPrefix("pass-") else { return nil }
        return User(name: "guest \(pass.dropFirst(5))", role: role, isGuest: true, createdMs: 1)
    }

    func admitGuest(withPass pass: String, from address: String) throws(ProtocolFault) -> UserSession {
        guard let guest = guest(withPass: pass) else { throw ProtocolFault(.signedOut, "Sign in first.") }
        users[guest.name] = guest
        tokens[pass] = guest.name
        return UserSession(id: "s-\(pass)", user: guest)
    }

    var count: Int { users.count }
    func user(withToken token: String) -> User? { tokens[token].flatMap { users[$0] } }
    func signOut(token: String) async { tokens[token] = nil }
    func session(withToken token: String) -> UserSession? { user(withToken: token).map { UserSession(id: "s-\(token)", user: $0) } }
    func session(named id: String) -> UserSession? { session(withToken: String(id.dropFirst(2))) }
    func user(of device: DeviceID) -> User? { nil }
    func setRole(_ role: Role, of name: String) { users[name.lowercased()]?.role = role }
}

/// Names of a library in memory.
final class MemoryNames: ContentNaming {
    let tracks: [NamedTrack]

    init(_ count: Int = 3) {
        tracks = (0..<count).map { number in
            var tags = Tags(title: "Song \(number)", artists: ["Weir"], durationMs: 201_400)
            tags.album = "Weirs"
            return NamedTrack(
                position: Int64(number + 1), id: Self.id(number), file: "song-\(number).flac",
                row: ItemRow(uri: ItemURI("file:track/song-\(number)"), tags: tags))
        }
    }

    static func id(_ number: Int) -> ContentID {
        ContentID(hash: (0..<32).map { UInt8(truncatingIfNeeded: $0 < 24 ? 7 : number >> (($0 - 24) * 8)) })
    }

    func namedTracks(after position: Int64, most: Int) throws(SourceFault) -> [NamedTrack] {
        Array(tracks.lazy.filter { $0.position > position }.prefix(most))
    }

    func track(named id: ContentID) throws(SourceFault) -> ItemURI? { tracks.first { $0.id == id }?.row.uri }

    func trackNames(of uris: [ItemURI]) throws(SourceFault) -> [ItemURI: TrackName] {
        let wanted = Set(uris)
        return Dictionary(
            uniqueKeysWithValues: tracks.filter { wanted.contains($0.row.uri) }.map { ($0.row.uri, TrackName(id: $0.id, file: $0.file)) })
    }

    func contentIDCount() throws(SourceFault) -> Int { tracks.count }
}
