/// How the connector says who it is, and what it tries after a server has refused one way. A value: errors in, the next way out.
import BatonCore
import BatonSeams

/// The ways to log in, the safest first.
enum Login: String, Equatable, Sendable {
    /// A key that the server has made for this program, without the user's name.
    case apiKey
    /// The MD5 of password and salt.
    case token
    /// The password itself in hexadecimal digits, for servers that keep no passwords that they could read.
    case plain
}

struct LoginLadder: Sendable {
    private(set) var current: Login
    private let hasPassword: Bool
    private var tried: Set<Login> = []

    /// `known` is what the server accepted before.
    init(_ secrets: SourceSecrets, known: Login?) {
        let hasPassword = secrets.user != nil && secrets.password != nil
        self.hasPassword = hasPassword
        let first: Login = secrets.apiKey != nil ? .apiKey : .token
        let isUsable = known.map { $0 == .apiKey ? secrets.apiKey != nil : hasPassword } ?? false
        current = isUsable ? known ?? first : first
    }

    /// Steps on after an error of login. False when there is nothing left to try: 40 and 44 say that the secret itself is wrong,
    /// and another way would only show it once more.
    mutating func goOn(after error: SubsonicError) -> Bool {
        tried.insert(current)
        guard hasPassword, error.refusesMechanism else { return false }
        switch current {
        case .apiKey: current = .token
        case .token: current = .plain
        case .plain: return false
        }
        return !tried.contains(current)
    }
}

extension SubsonicError {
    /// It says nothing of the login, so this was accepted.
    var isPastLogin: Bool { ![10, 20, 30, 40, 41, 42, 43, 44].contains(code) }
}

extension Login {
    /// What goes into the request beside the method's own parameters.
    func parameters(_ secrets: SourceSecrets, salt: () -> String) -> Parameters {
        switch self {
        case .apiKey: return ["apiKey": secrets.apiKey ?? ""]
        case .token:
            let salt = salt()
            let token = MD5.hex(Array(((secrets.password ?? "") + salt).utf8))
            return ["u": secrets.user ?? "", "t": token, "s": salt]
        case .plain: return ["u": secrets.user ?? "", "p": "enc:" + Hex.text(Array((secrets.password ?? "").utf8))]
        }
    }
}
