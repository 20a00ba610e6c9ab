import BatonClient
import BatonCore
import BatonProtocol

/// Verbs for scripts: the current item in one line, and waiting for a change.
extension Verb {
    /// Prints `Artist – Title`, or nothing without a current item.
    @Sendable static func current(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        try await satellite.withHub(call) { hub in
            let status = try await status(call, hub)
            if call.json { return Output.json(status.encode) }
            guard status.mirror.now != nil, status.isSounding else { return }
            Output.verbatim(call.format.map { status.filled(into: $0) } ?? VisibleText.of(status.nameOfItem))
        }
    }

    /// Waits for the first change of one of the sections, and prints the sections that changed.
    @Sendable static func idle(_ call: Invocation, _ satellite: Satellite) async throws {
        let wanted = try call.operands.reduce(into: Set<String>()) { wanted, word in wanted.formUnion(try IdleSections.named(word)) }
        try await satellite.withHub(call, settings: .lasting) { hub in
            let changes = await hub.changes()
            let before = IdleSections(try await hub.state())
            for await change in changes {
                guard case .hub(.state(let mirror)) = change else { continue }
                let changed = IdleSections(mirror).differing(from: before).filter { wanted.isEmpty || wanted.contains($0) }
                guard !changed.isEmpty else { continue }
                if call.json { return Output.json { $0.object { $0.member("changed", changed) } } }
                for name in changed { Output.line(name) }
                return
            }
            // The changes end when reconnecting has stopped; `live` throws the reason.
            _ = try await hub.live()
        }
    }
}

/// The sections of the state that a script can wait for, by their names in the protocol. Pure.
struct IdleSections {
    private let mirror: Mirror

    init(_ mirror: Mirror) { self.mirror = mirror }

    private static let table: KeyValuePairs<String, @Sendable (Mirror, Mirror) -> Bool> = [
        "now": { $0.now == $1.now }, "tl": { $0.timeline == $1.timeline }, "vol": { $0.volume == $1.volume },
        "modes": { $0.modes == $1.modes }, "queue": { $0.queue == $1.queue }, "rooms": { $0.rooms == $1.rooms },
        "outputs": { $0.outputs == $1.outputs }, "people": { $0.people == $1.people }, "listeners": { $0.listeners == $1.listeners },
        "book": { $0.book == $1.book }, "sleep": { $0.sleep == $1.sleep }, "lib": { $0.library == $1.library },
        "pl": { $0.playlists == $1.playlists }, "src": { $0.sources == $1.sources }, "keep": { $0.keeping == $1.keeping },
        "radio": { $0.radio == $1.radio }, "jobs": { $0.jobs == $1.jobs }, "endless": { $0.endless == $1.endless },
        "hub": { $0.hub == $1.hub },
    ]

    /// The words of `mpc idle`, and other plain words.
    private static let others: KeyValuePairs<String, [String]> = [
        "player": ["now", "tl"], "mixer": ["vol"], "volume": ["vol"], "playlist": ["queue"], "options": ["modes"], "mode": ["modes"],
        "stored_playlist": ["pl"], "playlists": ["pl"], "database": ["lib"], "library": ["lib"], "output": ["outputs"], "sources": ["src"],
        "position": ["tl"], "item": ["now"],
    ]

    static var names: [String] { table.map(\.key) }
    static var words: [String] { names + others.map(\.key) }

    static func named(_ word: String) throws(Stop) -> [String] {
        if names.contains(word) { return [word] }
        guard let meant = others.first(where: { $0.key == word })?.value else {
            throw Verb.unknown(word, of: "idle", among: words)
        }
        return meant
    }

    func differing(from before: IdleSections) -> [String] {
        Self.table.filter { !$0.value(before.mirror, mirror) }.map(\.key)
    }
}
