/// The HTTP calls and WebSockets of all dialects: one table, in which each registers its own. The server knows none of them.
///
/// A value that finds routes and decides nothing about peers: `Admission` does that, for every request, and the `Grant` that a
/// route gets is its result.
package struct Routes {
    package typealias Answer = @Loop (HTTPRequest, Grant) async -> HTTPResponse
    package typealias Decision = @Loop (HTTPRequest, Grant) -> UpgradeAnswer

    package struct Route {
        package var path: RoutePath
        package var methods: Set<HTTPRequest.Method>
        package var audience: Audience
        /// Without one of these the request is answered 400.
        package var neededHeaders: [String]
        /// The most bytes of body; `nil` for the server's own limit.
        package var bodyBytes: Int?
        /// The most bytes of a body that the route reads while it arrives; `nil` where the body is there whole.
        package var streamBytes: Int64?
        package var listeners: Set<ListenerName>
        package var answer: Answer
    }

    package struct Upgrade {
        package var path: RoutePath
        package var subprotocol: String?
        package var audience: Audience
        package var neededHeaders: [String]
        package var listeners: Set<ListenerName>
        package var decide: Decision
    }

    /// Best first, so that no request sorts them.
    package private(set) var routes: [Route] = []
    package private(set) var upgrades: [Upgrade] = []

    package init() {}

    /// Registers an answer. Of several routes that match, an exact path wins over one with named parts, and that over a
    /// prefix; of two prefixes the longer one wins; of two equal ones the first.
    package mutating func add(
        _ methods: Set<HTTPRequest.Method>, _ path: RoutePath, for audience: Audience, needing headers: [String] = [],
        bodyBytes: Int? = nil, streamBytes: Int64? = nil, at listeners: Set<ListenerName> = ListenerName.usual, _ answer: @escaping Answer
    ) {
        let route = Route(
            path: path, methods: methods, audience: audience, neededHeaders: headers.map { $0.lowercased() }, bodyBytes: bodyBytes,
            streamBytes: streamBytes, listeners: listeners, answer: answer)
        routes.insert(route, at: routes.firstIndex { $0.path.rank < path.rank } ?? routes.count)
    }

    /// Registers a WebSocket, with the subprotocol that its clients must offer, or with none.
    package mutating func addUpgrade(
        _ path: RoutePath, subprotocol: String?, for audience: Audience, needing headers: [String] = [],
        at listeners: Set<ListenerName> = ListenerName.usual, _ decide: @escaping Decision
    ) {
        upgrades.append(
            Upgrade(
                path: path, subprotocol: subprotocol, audience: audience, neededHeaders: headers.map { $0.lowercased() },
                listeners: listeners,
                decide: decide))
    }

    // MARK: Finding

    /// All routes of this path and method, best first.
    func found(_ method: HTTPRequest.Method, _ path: String, at listener: ListenerName) -> [Route] {
        routes.filter { $0.path.matches(path) && $0.methods.contains(method) && $0.listeners.contains(listener) }
    }

    func upgrade(_ path: String, at listener: ListenerName) -> Upgrade? {
        upgrades.filter { $0.listeners.contains(listener) && $0.path.matches(path) }.max { $0.path.rank < $1.path.rank }
    }

    /// What can be done at this path, in the order of HTTP's own list.
    func methods(at path: String, _ listener: ListenerName) -> [HTTPRequest.Method] {
        let here = routes.filter { $0.listeners.contains(listener) && $0.path.matches(path) }
        return HTTPRequest.Method.allCases.filter { method in here.contains { $0.methods.contains(method) } }
    }

    func upgradePaths(at listener: ListenerName) -> [String] {
        upgrades.filter { $0.listeners.contains(listener) }.map(\.path.text)
    }

    /// The headers that some route needs: the server keeps them beside the usual ones.
    package var headers: Set<String> { Set(routes.flatMap(\.neededHeaders) + upgrades.flatMap(\.neededHeaders)) }
}

/// Where a route is.
package enum RoutePath: Equatable, Sendable {
    case exact(String)
    /// This and everything behind it.
    case prefix(String)
    /// A path whose parts in braces may be any text without a slash, as in `/rooms/{room}/queue`. The handler finds them
    /// in `HTTPRequest.parts`.
    case named(String)

    package var text: String {
        switch self {
        case .exact(let text), .prefix(let text), .named(let text): text
        }
    }

    /// Higher wins.
    var rank: Int {
        switch self {
        case .prefix(let text): text.utf8.count
        case .named: 1 << 20
        case .exact: 1 << 21
        }
    }

    package func matches(_ path: String) -> Bool {
        switch self {
        case .exact(let text): path == text
        case .prefix(let text): path.utf8.starts(with: text.utf8)
        case .named: parts(of: path) != nil
        }
    }

    /// The named parts of a path that matches; `nil` for one that does not, and for one that names none.
    package func parts(of path: String) -> [String: String]? {
        switch self {
        case .exact, .prefix: return nil
        case .named(let text):
            let pattern = text.split(separator: "/", omittingEmptySubsequences: false)
            let pieces = path.split(separator: "/", omittingEmptySubsequences: false)
            guard pattern.count == pieces.count else { return nil }
            var parts: [String: String] = [:]
            for (wanted, piece) in zip(pattern, pieces) {
                if wanted.hasPrefix("{"), wanted.hasSuffix("}"), !piece.isEmpty {
                    parts[String(wanted.dropFirst().dropLast())] = String(piece)
                } else if wanted != piece {
                    return nil
                }
            }
            return parts
        }
    }
}

/// Which listening sockets a route is reachable on. A dialect with a port of its own gives it a name of its own.
package struct ListenerName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static let plain = ListenerName("plain")
    package static let tls = ListenerName("tls")
    package static let unix = ListenerName("unix")
    /// Where the hub itself is reached.
    package static let usual: Set<ListenerName> = [.plain, .tls, .unix]
}

/// For whom a route is.
package enum Audience: Sendable {
    /// Every peer, from anywhere: for answers that say nothing about the hub.
    case everyone
    /// Every peer that admission lets in.
    case visitors
    /// Of these, the ones who have not shown yet who they are; and the ones who have.
    case unproved, proved

    func includes(isProved: Bool) -> Bool {
        switch self {
        case .everyone, .visitors: true
        case .unproved: !isProved
        case .proved: isProved
        }
    }
}

/// Decides who may come in, for every route of a server: `Origin`, `Host`, headers of proxies, the role of a channel.
@Loop
package protocol Admission: AnyObject {
    /// Asked before TLS costs anything. A connection that is not received is closed without an answer.
    func receives(_ peer: Peer) -> Bool

    /// Asked for each request before its route hears of it.
    func admit(_ request: HTTPRequest, to audience: Audience, forUpgrade: Bool) -> Admitted
}

package enum Admitted: Sendable {
    case visitor(Grant)
    case refused(HTTPResponse)
}
