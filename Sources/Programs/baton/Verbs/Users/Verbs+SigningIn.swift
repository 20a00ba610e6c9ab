import BatonClient
import BatonCore
import BatonProtocol
import Glibc

/// Signing up, in and out at a hub. The token is stored beside the pairing keys, and sent with every later command.
extension Verb {
    @Sendable static func signIn(_ call: Invocation, _ satellite: Satellite) async throws {
        if call.options.has("guest") {
            let guest = Commands.UserGuest(name: try call.operandIfAny())
            return try await satellite.withHub(call) { hub in try store(try await hub.send(guest), for: call, of: satellite, on: hub) }
        }
        let name = try call.onlyOperand("the name of a user")
        let command = Commands.UserSignIn(name, password: try Password.read("Password of \(name): "))
        try await satellite.withHub(call, settings: call.passwordSettings) { hub in
            try store(try await hub.send(command), for: call, of: satellite, on: hub)
        }
    }

    @Sendable static func signUp(_ call: Invocation, _ satellite: Satellite) async throws {
        let name = try call.onlyOperand("a name")
        let command = Commands.UserSignUp(name, password: try Password.new("A password of 8 characters or more: "))
        try await satellite.withHub(call, settings: call.passwordSettings) { hub in
            try store(try await hub.send(command), for: call, of: satellite, on: hub)
        }
    }

    private static func store(
        _ answered: Answered<SignedInUser>, for call: Invocation, of satellite: Satellite, on hub: ReconnectingHub
    ) throws {
        let signed = try answered.whole()
        try satellite.memory.storeUser(signed.token, at: hub.endpoint)
        if call.json {
            return Output.json { writer in
                writer.object {
                    $0.member("user", signed.user)
                    $0.member("role", signed.role.rawValue)
                    $0.member("session", signed.session)
                }
            }
        }
        Output.line("Signed in as “\(signed.user)”, with the role \(signed.role.rawValue). To end that: baton signout")
    }

    @Sendable static func signOut(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        try await satellite.withHub(call) { hub in
            let answered = try await hub.send(Commands.UserSignOut())
            try satellite.memory.storeUser(nil, at: hub.endpoint)
            if case .noop = answered.reply.outcome { return Output.done("No user was signed in here.", call) }
            Output.done("Signed out.", call)
        }
    }

    @Sendable static func me(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        try await satellite.withHub(call) { hub in
            let answered = try await hub.send(Commands.UserMe())
            if call.json { return Output.json(answered) }
            let me = try answered.whole()
            guard let user = me.user else { return Output.line("No user is signed in here. Sign in: baton signin NAME") }
            let end = me.expiresMs.map { ", for another \(TimeText.length(ms: max(0, $0 - Clock.wallMs())))" } ?? ""
            Output.line("\(user)\(me.isGuest ? ", a guest" : ""), with the role \(me.role.rawValue)\(end)")
        }
    }
}
