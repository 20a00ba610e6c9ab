/// Who may come in to music rooms, and with which rights.
import BatonCore
import BatonJSON
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import MusicRoomServer

@Suite struct `Signing in to music rooms` {
    private static let sign = #"{"username":"Ada","password":"a secret"}"#

    @Test func `a person signs up, is known by the cookie, signs out, and is not known any more`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            let entered = await world.ask(.post, "/api/auth/signup", Self.sign)
            #expect(entered.status == 200 && entered.json?["username"]?.string == "Ada")
            #expect(entered.cookie?.contains("; HttpOnly; SameSite=Lax") == true && entered.cookie?.contains("Secure") == false)
            let token = try #require(entered.token)

            #expect(await world.ask(.get, "/api/auth/me", as: token).json?["is_guest"]?.bool == false)
            #expect(await world.ask(.post, "/api/auth/logout", as: token).status == 200)
            let gone = await world.ask(.get, "/api/auth/me", as: token)
            #expect(gone.status == 401 && gone.cookie?.contains("Max-Age=0") == true)
            #expect(await world.ask(.get, "/api/library", as: token).status == 401)
            #expect(await world.ask(.post, "/api/auth/login", Self.sign).status == 200)
        }
    }

    @Test func `over TLS the cookie is for TLS only`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            let entered = await world.ask(.post, "/api/auth/signup", Self.sign, over: .tls)
            #expect(entered.status == 200 && entered.cookie?.hasSuffix("; Secure") == true)
            #expect(await world.ask(.get, "/api/channels", as: entered.token, over: .tls).status == 200)
        }
    }

    @Test func `everything but the status asks for a session`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            #expect(await world.ask(.get, "/api/status").status == 200)
            for path in ["/api/library", "/api/channels", "/api/channels/main", "/api/playlists", "/api/playlists/x", "/api/tracks/x"] {
                for token in [nil, "forged", "", "token-9; x"] {
                    #expect(await world.ask(.get, path, as: token).status == 401, "\(path)")
                }
            }
            #expect(throws: RoomWorld.Refused.self) { try world.open(as: nil) }
            #expect(throws: RoomWorld.Refused.self) { try world.open(as: "forged") }
        }
    }

    @Test func `an app that looks forty times at once is not refused and may still press, and one that goes on is told how long to wait`()
        async throws
    {
        try await onLoop {
            let world = try RoomWorld()
            let token = world.signedIn("Ada")
            for _ in 0..<3 {
                for path in 0..<40 {
                    let looked = await world.ask(.get, path % 2 == 0 ? "/api/channels" : "/api/channels/main", as: token)
                    #expect(looked.status == 200)
                }
                world.sim.time.pass(.seconds(1))
            }
            #expect(await world.ask(.post, "/api/channels/main/mode", #"{"mode":"shuffle"}"#, as: token).status == 200)

            var last = await world.ask(.get, "/api/channels", as: token)
            for _ in 0..<200 where last.status == 200 { last = await world.ask(.get, "/api/channels", as: token) }
            #expect(last.status == 429 && last.response.headers.contains { $0.name == "retry-after" && $0.value == "1" })
            world.sim.time.pass(.seconds(1))
            #expect(await world.ask(.get, "/api/channels", as: token).status == 200)
        }
    }

    @Test func `a session with too many sockets is told when to come again`() async throws {
        try await onLoop {
            let refused = RoomRefusal(429, "This session has as many connections as one may have.").response
            #expect(refused.headers.contains { $0.name == "retry-after" && $0.value == "1" })
        }
    }

    @Test func `a hub without accounts says so, and lets no guest in`() async throws {
        try await onLoop {
            let world = try RoomWorld(hasUsers: false)
            let said = await world.ask(.post, "/api/auth/login", Self.sign)
            #expect(said.status == 503 && said.sentence?.hasSuffix(".") == true)
            #expect(await world.ask(.get, "/api/auth/me").status == 401)
            #expect(await world.ask(.get, "/api/status").json?["allowGuests"]?.bool == false)
        }
    }

    @Test func `guests are made of visitors where the owner lets them in`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            #expect(await world.ask(.get, "/api/auth/me").status == 401)
            world.users.policy.guests = .guest
            let guest = await world.ask(.get, "/api/auth/me")
            #expect(guest.status == 200 && guest.json?["isGuest"]?.bool == true)
            let token = try #require(guest.token)
            #expect(await world.ask(.patch, "/api/channels/main", #"{"playbackMode":"shuffle"}"#, as: token).status == 403)
        }
    }

    @Test func `a guest who only looks takes no place, and takes one by a socket or a change`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            world.users.policy.guests = .guest
            var tokens: [String] = []
            for _ in 0..<3 { tokens.append(try #require(await world.ask(.get, "/api/auth/me").token)) }
            for (token, path) in zip(tokens, ["/api/library", "/api/channels", "/api/channels/main"]) {
                #expect(await world.ask(.get, "/api/auth/me", as: token).json?["isGuest"]?.bool == true)
                #expect(await world.ask(.get, path, as: token).status == 200, "\(path)")
            }
            #expect(world.users.count == 0)

            _ = try world.open(as: tokens[0])
            #expect(await world.ask(.patch, "/api/channels/main", #"{"playbackMode":"shuffle"}"#, as: tokens[1]).status == 403)
            #expect(world.users.count == 2)
            #expect(await world.ask(.get, "/api/channels", as: tokens[0]).status == 200)
        }
    }

    @Test(arguments: ["cross-site", "same-site"])
    func `a page from elsewhere that sends no origin gets no guest and changes nothing`(site: String) async throws {
        try await onLoop {
            let world = try RoomWorld()
            world.users.policy.guests = .guest
            let foreign = ["sec-fetch-site": site]
            let refused = await world.ask(.get, "/api/auth/me", headers: foreign)
            #expect(refused.status == 401 && refused.cookie == nil)
            #expect(await world.ask(.post, "/api/auth/login", Self.sign, headers: foreign).status == 403)
            for own in ["same-origin", "none"] {
                #expect(await world.ask(.get, "/api/auth/me", headers: ["sec-fetch-site": own]).token != nil)
            }
        }
    }

    @Test func `passwords from elsewhere need encryption or the owner's word, and rights are those of the network`() async throws {
        try await onLoop {
            let world = try RoomWorld(lanPlain: .listener)
            #expect(await world.ask(.post, "/api/auth/login", Self.sign, over: .network).status == 403)

            let open = try RoomWorld(lanPlain: .listener, takesPlainPasswords: true)
            let entered = await open.ask(.post, "/api/auth/signup", Self.sign, over: .network)
            let token = try #require(entered.token)
            let mode = #"{"mode":"shuffle"}"#
            #expect(await open.ask(.post, "/api/channels/main/mode", mode, as: token, over: .network).status == 403)
            #expect(await open.ask(.post, "/api/channels/main/mode", mode, as: token, over: .tls).status == 200)

            let closed = try RoomWorld(takesPlainPasswords: true)
            #expect(await closed.ask(.get, "/api/status", over: .network).status == 403)
        }
    }

    @Test func `a page from elsewhere is refused, and a program without an origin is not`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            let token = world.signedIn("ada")
            let foreign = ["origin": "http://evil.example"]
            #expect(await world.ask(.get, "/api/channels", as: token, headers: foreign).status == 403)
            #expect(await world.ask(.post, "/api/auth/login", Self.sign, headers: foreign).status == 403)
            #expect(throws: RoomWorld.Refused.self) { try world.open(as: token, headers: foreign) }
            #expect(await world.ask(.get, "/api/channels", as: token, headers: ["origin": "http://127.0.0.1:9442"]).status == 200)
            #expect(await world.ask(.get, "/api/channels", as: token).status == 200)
        }
    }

    @Test(arguments: [
        (HTTPRequest.Method.post, "/api/channels", #"{"name":"Garden"}"#), (.patch, "/api/channels/main", #"{"name":"Garden"}"#),
        (.patch, "/api/channels/main", #"{"playbackMode":"shuffle"}"#), (.post, "/api/channels/main/mode", #"{"mode":"shuffle"}"#),
        (.patch, "/api/channels/main/queue", #"{"remove":[0]}"#), (.patch, "/api/channels/main/queue", #"{"set":[]}"#),
        (.patch, "/api/channels/main/queue", #"{"move":{"from":0,"to":1}}"#), (.post, "/api/playlists", #"{"name":"Late"}"#),
        (.delete, "/api/playlists/x", ""),
    ])
    func `a listener changes nothing`(method: HTTPRequest.Method, path: String, body: String) async throws {
        try await onLoop {
            let world = try RoomWorld()
            try await world.play(3)
            let before = world.sim.hub.rooms.all.map(\.room)
            let said = await world.ask(method, path, body, as: world.signedIn("ada", .listener))
            #expect(said.status == 403 && said.sentence?.contains("listener") == true)
            #expect(world.sim.hub.rooms.all.map(\.room) == before)
        }
    }

    @Test func `a person who was sent out of a room opens no socket to it`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            try await world.play(3)
            let token = world.signedIn("ada")
            let peer = try world.open(as: token)
            let owner = try world.sim.remote(id: "owner-2")
            world.sim.time.pass(.seconds(1))
            let row = try #require(owner.mirror.listeners?.listeners.first { $0.name == "ada" })
            #expect(row.hears)
            _ = await owner.awaitReply(owner.send(Commands.PeopleKick(row.who, minutes: 5), key: "kick-ada"))
            world.sim.time.settle()
            #expect(peer.typed("kick").count == 1 && peer.closed != nil)
            #expect(throws: RoomWorld.Refused.self) { try world.open(as: token) }
            #expect(await world.ask(.post, "/api/channels/main/mode", #"{"mode":"shuffle"}"#, as: token).status == 403)
        }
    }

    @Test func `a session that ends takes its sockets along within a second`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            let token = world.signedIn("ada")
            let peer = try world.open(as: token)
            await world.users.signOut(token: token)
            world.sim.time.pass(.milliseconds(900))
            #expect(peer.typed("kick").count == 1 && peer.closed != nil)
            #expect(world.rooms.connections == 0)
        }
    }
}
