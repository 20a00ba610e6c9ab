/// The HTTP calls and WebSockets of all dialects: one table, in which each registers its own. The server knows none of them.
///
/// A value that finds routes and does not judge peers: `Admission` does that for every request, and the `Grant` that a route gets is its result.
package struct Routes {
    /// The handler of a route. It gets the rights that admission has found.
    package typealias Answer = @Loop (HTTPRequest, Grant) async -> HTTPResponse
    /// The decision about an upgrade, with the rights that admission has found.
    package typealias Decision = @Loop (HTTPRequest, Grant) -> UpgradeAnswer

    /// One row of the table, as `add` was given it.
    package struct Route {
        package var path: RoutePath
        package var methods: Set<HTTPRequest.Method>
        package var audience: Audience
        /// Required headers; a request that lacks one is answered with 400.
        package var neededHeaders: [String]
        /// Maximum bytes of the body; `nil` for the server's own limit.
        package var bodyBytes: Int?
        /// Maximum bytes of a body that the route reads while it arrives; `nil` where the body is read before.
        package var streamBytes: Int64?
        package var listeners: Set<ListenerName>
        package var answer: Answer
    }

    /// One WebSocket of the table, as `addUpgrade` was given it.
    package struct Upgrade {
        package var path: RoutePath
        /// The subprotocol that clients must offer; `nil` for none.
        package var subprotocol: String?
        package var audience: Audience
        /// Required headers, as for a route.
        package var neededHeaders: [String]
        package var listeners: Set<ListenerName>
        /// The decision whether this peer gets it.
        package var decide: Decision
    }

    /// Routes by descending rank, so that requests need no sorting.
    package private(set) var routes: [Route] = []
    /// The WebSockets in the order in which they were registered.
    package private(set) var upgrades: [Upgrade] = []

    package init() {}

    /// Registers an answer. Among matching routes an exact path comes first, then one with named parts, then the longest prefix; of equal ones the
    /// first.
    package mutating func add(
        _ methods: Set<HTTPRequest.Method>, _ path: RoutePath, for audience: Audience, needing headers: [String] = [],
        bodyBytes: Int? = nil, streamBytes: Int64? = nil, at listeners: Set<ListenerName> = ListenerName.usual, answer: @escaping Answer
    ) {
        let route = Route(
            path: path, methods: methods, audience: audience, neededHeaders: headers.map { $0.lowercased() }, bodyBytes: bodyBytes,
            streamBytes: streamBytes, listeners: listeners, answer: answer)
        routes.insert(route, at: routes.firstIndex { $0.path.rank < path.rank } ?? routes.count)
    }

    /// Registers a WebSocket with the subprotocol that clients must offer, or with none.
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

    /// All routes for this path and method, best first.
    func found(_ method: HTTPRequest.Method, _ path: String, at listener: ListenerName) -> [Route] {
        routes.filter { $0.path.matches(path) && $0.methods.contains(method) && $0.listeners.contains(listener) }
    }

    func upgrade(_ path: String, at listener: ListenerName) -> Upgrade? {
        upgrades.filter { $0.listeners.contains(listener) && $0.path.matches(path) }.max { $0.path.rank < $1.path.rank }
    }

    /// The routes for this path, whatever their methods, but for those that stand for all paths.
    func own(_ path: String, at listener: ListenerName) -> [Route] {
        routes.filter { $0.listeners.contains(listener) && $0.path != .root && $0.path.matches(path) }
    }

    /// The methods of this path, in the order of `HTTPRequest.Method`.
    func methods(at path: String, _ listener: ListenerName) -> [HTTPRequest.Method] {
        let own = own(path, at: listener)
        let here = own.isEmpty ? routes.filter { $0.listeners.contains(listener) && $0.path.matches(path) } : own
        return HTTPRequest.Method.allCases.filter { method in here.contains { $0.methods.contains(method) } }
    }

    func upgradePaths(at listener: ListenerName) -> [String] {
        upgrades.filter { $0.listeners.contains(listener) }.map(\.path.text)
    }

    /// The headers that routes need: the server keeps them in addition to the usual ones.
    package var headers: Set<String> { Set(routes.flatMap(\.neededHeaders) + upgrades.flatMap(\.neededHeaders)) }
}

/// The paths that a route matches.
package enum RoutePath: Equatable, Sendable {
    case exact(String)
    /// This path and all that begin with it.
    case prefix(String)
    /// A path with parts in braces, each any text without a slash, as in `/rooms/{room}/queue`. The handler finds them in `HTTPRequest.parts`.
    case named(String)

    /// All paths.
    static let root = RoutePath.prefix("/")

    /// The pattern as it was registered.
    package var text: String {
        switch self {
        case .exact(let text), .prefix(let text), .named(let text): text
        }
    }

    /// The priority among matching routes; the highest wins.
    var rank: Int {
        switch self {
        case .prefix(let text): text.utf8.count
        case .named: 1 << 20
        case .exact: 1 << 21
        }
    }

    /// True when the path is one of them.
    package func matches(_ path: String) -> Bool {
        switch self {
        case .exact(let text): path == text
        case .prefix(let text): path.utf8.starts(with: text.utf8)
        case .named: parts(of: path) != nil
        }
    }

    /// The named parts of a matching path; `nil` for a path that does not match, and for a route without named parts.
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

/// The listening sockets on which a route can be reached. A dialect with its own port has its own name.
package struct ListenerName: Hashable, Sendable {
    /// The word, which is unique among listening sockets.
    package let text: String

    package init(_ text: String) { self.text = text }

    /// TCP without TLS.
    package static let plain = ListenerName("plain")
    /// TCP with TLS.
    package static let tls = ListenerName("tls")
    /// The socket file.
    package static let unix = ListenerName("unix")
    /// The sockets of the hub itself.
    package static let usual: Set<ListenerName> = [.plain, .tls, .unix]
}

/// The peers that a route is for.
package enum Audience: Sendable {
    /// Every peer, from anywhere: for answers that say nothing about the hub.
    case everyone
    /// Every peer that admission lets in.
    case visitors
    /// The visitors that have not yet proved who they are, and those that have.
    case unproved, proved

    func includes(isProved: Bool) -> Bool {
        switch self {
        case .everyone, .visitors: true
        case .unproved: !isProved
        case .proved: isProved
        }
    }
}

/// Decides who may enter, for every route of a server: `Origin`, `Host`, proxy headers, the role of a channel.
@Loop
package protocol Admission: AnyObject {
    /// Called before the cost of TLS. A connection that is not received is closed without an answer.
    func receives(_ peer: Peer) -> Bool

    /// Called for each request before its route sees it.
    func admit(_ request: HTTPRequest, to audience: Audience, forUpgrade: Bool) -> Admitted
}

package enum Admitted: Sendable {
    /// The peer may go on, with these rights.
    case visitor(Grant)
    /// The answer to a peer that may not.
    case refused(HTTPResponse)
}
