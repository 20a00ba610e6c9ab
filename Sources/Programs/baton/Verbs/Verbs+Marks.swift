import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Verbs about one item, by default the one that plays: mark it as a favourite, rate it, show its lyrics.
extension Verb {
    @Sendable static func favourite(_ call: Invocation, _ satellite: Satellite) async throws {
        var words = call.operands
        let on = words.first == "on" || words.first == "off" ? words.removeFirst() == "on" : true
        guard words.count < 2 else { throw Stop(.usage, "fav takes on or off, and one item.") }
        try await satellite.withHub(call) { [words] hub in
            let item = try await item(named: words.first, for: call, on: hub)
            try await hub.send(Commands.FavouriteSet(item.uri, isOn: on))
            if call.json { return try await report(call, hub) }
            Output.line(on ? "\(item.name) is a favourite." : "\(item.name) is no favourite any more.")
        }
    }

    @Sendable static func rate(_ call: Invocation, _ satellite: Satellite) async throws {
        let text = try call.operand(0, "stars, from 0 to 5")
        guard let stars = Int(text), (0...5).contains(stars) else {
            throw Stop(.usage, "“\(text)” is no rating. Write a number of stars from 0 to 5; 0 takes them away.")
        }
        guard call.operands.count < 3 else { throw Stop(.usage, "rate takes stars and one item, and got “\(call.operands[2])” too.") }
        try await satellite.withHub(call) { hub in
            let item = try await item(named: call.operands.dropFirst().first, for: call, on: hub)
            try await hub.send(Commands.RatingSet(item.uri, stars: stars))
            if call.json { return try await report(call, hub) }
            Output.line(stars == 0 ? "\(item.name) has no stars." : "\(item.name) has \(stars) \(stars == 1 ? "star" : "stars").")
        }
    }

    @Sendable static func split(_ call: Invocation, _ satellite: Satellite) async throws {
        let (uri, other) = (try call.operand(0, "two items"), try call.operand(1, "a second item"))
        guard call.operands.count == 2 else { throw Stop(.usage, "split takes two items, and got “\(call.operands[2])” too.") }
        let isOn = !call.options.has("off")
        try await satellite.withHub(call) { hub in
            try await hub.send(Commands.Split(try await call.uri(of: uri, hub), from: try await call.uri(of: other, hub), isOn: isOn))
            if call.json { return try await report(call, hub) }
            Output.line(isOn ? "They are shown as two tracks from now on." : "They may be shown as one track again.")
        }
    }

    /// The named item, or the current one.
    private static func item(named: String?, for call: Invocation, on hub: ReconnectingHub) async throws -> (uri: ItemURI, name: String) {
        let mirror = try await hub.state()
        if let named { return (try await call.uri(of: named, hub), "It") }
        guard let now = mirror.now, let uri = now.uri else {
            throw Stop(.refused, "Nothing plays, so name an item: baton \(call.verb) … URI")
        }
        return (uri, "“\(now.tags.title)”")
    }

    // MARK: Lyrics

    @Sendable static func lyrics(_ call: Invocation, _ satellite: Satellite) async throws {
        let named = try call.operandIfAny()
        let isFollowing = call.options.has("follow")
        try await satellite.withHub(call, settings: isFollowing ? .lasting : nil) { hub in
            let item = try await item(named: named, for: call, on: hub)
            let found = try await hub.send(Commands.Item(item.uri, lyrics: true))
            if call.json { return Output.json(found) }
            guard let lyrics = found.answer?.lyrics, !lyrics.lines.isEmpty else {
                throw Stop(.refused, "\(item.name) has no words that this hub knows of.")
            }
            guard isFollowing else {
                for line in lyrics.lines { Output.line(line.text) }
                return
            }
            guard lyrics.isTimed else { throw Stop(.refused, "The lines of these lyrics have no times. Without --follow they are shown.") }
            try await printLyrics(lyrics, hub)
        }
    }

    /// Prints each line when it is sung, until the song ends or another one plays.
    private static func printLyrics(_ lyrics: Lyrics, _ hub: ReconnectingHub) async throws {
        let entry = await hub.mirror.now?.entry
        let lines = lyrics.lines.filter { $0.atMs != nil }
        var told = 0
        while told < lines.count, await hub.mirror.now?.entry == entry {
            let positionMs = await hub.positionMs()
            while told < lines.count, lines[told].atMs ?? 0 <= positionMs {
                Output.line(lines[told].text)
                told += 1
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
