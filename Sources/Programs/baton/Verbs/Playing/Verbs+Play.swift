import BatonClient
import BatonCore
import BatonProtocol

/// `baton play`: resumes, or plays the given items, rows of the last listing, or the first search result.
extension Verb {
    @Sendable static func play(_ call: Invocation, _ satellite: Satellite) async throws {
        let kind: ItemKind? = try call.choice("kind")
        guard kind == nil || !call.operands.isEmpty else { throw Stop(.usage, "--kind needs words: baton play --kind artist NAME") }
        guard let first = call.operands.first else { return try await sends({ _ in Commands.Play() })(call, satellite) }
        try await satellite.withHub(call) { hub in
            let problems = try await hub.state().hub?.problems ?? []
            if let kind {
                try await hub.send(Commands.Play(try await call.found(call.operands.joined(separator: " "), as: kind, hub)))
            } else if let entry = try await entry(call, hub) {
                try await hub.send(Commands.Jump(entry))
            } else if Words.areWords(call.operands) {
                // A container plays completely.
                try await hub.send(Commands.Play(try await call.found(call.operands.joined(separator: " "), hub)))
            } else {
                let uris = try await call.uris(of: call.operands, hub)
                if uris.count == 1 { try await hub.send(Commands.Play(ItemURI(uris[0]))) } else { try await playAll(uris, hub) }
            }
            try await heardOrRefused(call, hub, besides: problems)
            try await report(call, hub, or: "Playing “\(first)”.")
        }
    }

    /// The queue entry for a number, if the last listing was the queue or there was none.
    private static func entry(_ call: Invocation, _ hub: ReconnectingHub) async throws -> EntryID? {
        guard call.operands.count == 1, let numbers = LastListing.numbers(call.operands[0]), numbers.count == 1 else { return nil }
        guard let listing = call.memory.lastListing else { return try await entries(call, hub).first }
        guard listing.isQueue else { return nil }
        return try await call.rows(numbers, hub).first?.entry.flatMap(EntryID.init(text:))
    }

    /// Replaces the queue and plays it. The items are queued before playback starts, so that unavailable ones are
    /// skipped.
    private static func playAll(_ uris: [String], _ hub: ReconnectingHub) async throws {
        var parts = URIParts(uris)
        guard let first = parts.next() else { return }
        let revision = try await hub.state().queue?.revision ?? 0
        try await hub.send(atRevision: revision) { Commands.QueueReplace($0, uris: first.map { ItemURI($0) }) }
        try await hub.send(Commands.Play())
        while let part = parts.next() { try await hub.send(Commands.QueueAdd(part.map { ItemURI($0) })) }
    }

    /// Waits for playback. An item on an unreachable server is skipped shortly after the command's reply; if nothing
    /// else plays then, the command fails.
    private static func heardOrRefused(_ call: Invocation, _ hub: ReconnectingHub, besides before: [HubProblem]) async throws {
        let changes = await hub.changes()
        let isOver: @Sendable (Mirror) -> Bool = { $0.timeline?.state != .buffering }
        if await !isOver(hub.mirror) {
            try? await limited(to: call.timeout, sentence: "It is still buffering.") {
                for await change in changes {
                    if case .hub(.state(let mirror)) = change, isOver(mirror) { return }
                }
            }
        }
        let mirror = await hub.mirror
        let new = mirror.hub?.problems.first { !before.contains($0) && ($0.room == nil || $0.room == mirror.room) }
        guard let new, mirror.timeline?.state != .playing else { return }
        throw Stop(.refused, new.message)
    }
}

/// Whether the operands are search words instead of names of items. Looks only at local files.
enum Words {
    static func areWords(_ operands: [String]) -> Bool {
        operands.allSatisfy { word in
            !word.contains("/") && !word.contains(":") && !word.hasPrefix("~") && !word.hasPrefix(".") && LastListing.numbers(word) == nil
                && !LocalPath.isFile(word)
        }
    }
}
