import BatonClient
import BatonCore
import BatonProtocol
import Glibc

/// Plays a room's sound on this machine: finds the hub, then executes `baton-listen`.
extension Verb {
    @Sendable static func listen(_ call: Invocation, _ satellite: Satellite) async throws {
        let isOnly = call.options.has("only")
        if isOnly {
            _ = try call.operand(0, "an item behind --only")
            if call.options["room"] != nil { throw Stop(.usage, "--only plays in a room of your own. Leave --room out.") }
        } else if let word = call.operands.first {
            return try await streamLinks(word, for: call, on: satellite)
        }
        let program = try ListenProgram.find()
        let level = try call.level("volume") ?? ListenerStart.highestLevel
        guard level <= ListenerStart.highestLevel else {
            throw Stop(.usage, "--volume is \(level). It begins at most at \(ListenerStart.highestLevel); type + to make it louder then.")
        }
        let quality = try quality(call)
        let output = call.options["output"] ?? "auto"
        let offset = try offset(call, of: output, satellite.memory)
        try await satellite.withHub(call) { hub in
            // Two outputs of one machine count as two devices.
            var start = ListenerStart(
                hub: hub.endpoint, client: "\(satellite.memory.clientID)-\(String(StableHash.of(output), radix: 36).prefix(6))",
                name: call.ownName)
            start.device = satellite.memory.knownHub(at: hub.endpoint).map { .init(id: $0.device, key: $0.key) }
            start.user = try satellite.memory.userToken(at: hub.endpoint)
            start.room = isOnly ? try await onlyHere(call, hub) : call.room == nil ? nil : try await hub.state().room
            (start.output, start.offsetMs, start.level, start.quality) = (output, offset, level, quality)
            if let room = start.room, isOnly {
                Output.done("This is played only here. To control it: baton --room \(room) pause", call)
            } else if call.json {
                Output.done("This machine plays the room along.", call)
            }
            try ListenProgram.become(program, start)
        }
    }

    /// Plays the items in a private room and returns the room.
    private static func onlyHere(_ call: Invocation, _ hub: ReconnectingHub) async throws -> RoomID {
        let items =
            Words.areWords(call.operands)
            ? [try await call.found(call.operands.joined(separator: " "), hub)]
            : try await call.uris(of: call.operands, hub).map { ItemURI($0) }
        guard let first = items.first else { throw Stop(.usage, "listen --only needs an item. See: baton help listen") }
        let room = try await hub.ask(Commands.ListenOnly(first)).room
        var rest = URIParts(items.dropFirst().map(\.text))
        while let part = rest.next() { try await hub.send(Commands.QueueAdd(part.map { ItemURI($0) }), room: room) }
        return room
    }

    private static func quality(_ call: Invocation) throws(Stop) -> ListeningQuality {
        guard let text = call.options["quality"] else { return .auto }
        guard let quality = ListeningQuality(rawValue: text) else {
            let names = ListeningQuality.allCases.map(\.rawValue).joined(separator: ", ")
            throw Stop(.usage, "--quality is “\(text)”. It can be: \(names).")
        }
        return quality
    }

    /// The delay of an output device, stored for each output.
    private static func offset(_ call: Invocation, of output: String, _ memory: Memory) throws(Stop) -> Milliseconds {
        let kept = (memory.text(of: offsetsFile) ?? "").split(separator: "\n").map { $0.split(separator: "\t", maxSplits: 1) }
        guard let text = call.options["offset"] else {
            let known = kept.first { $0.count == 2 && $0[1] == output }.flatMap { Int($0[0]) }.map { Milliseconds($0) } ?? 0
            return ListenerStart.offsets.contains(known) ? known : 0
        }
        guard let offset = Int(text).map({ Milliseconds($0) }), ListenerStart.offsets.contains(offset) else {
            throw Stop(.usage, "--offset is “\(text)”. Write milliseconds from -500 to 500, more where this device is heard too late.")
        }
        let others = kept.filter { $0.count == 2 && $0[1] != output }.map { "\($0[0])\t\($0[1])\n" }
        memory.store(offsetsFile, whole: others.joined() + "\(offset)\t\(output)\n")
        return offset
    }

    private static let offsetsFile = "listen-offsets"
}

/// Finds and executes `baton-listen`.
enum ListenProgram {
    private static let name = "baton-listen"

    /// The program's path, which is in the folder of this program.
    static func find() throws(Stop) -> String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count - 1)
        let own = String(decoding: path.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let place = String(own.lastIndex(of: "/").map { own[...$0] } ?? "") + name
        guard access(place, X_OK) == 0 else {
            throw Stop(.refused, "\(place) is not there. It plays the sound; install the package baton-listen.")
        }
        return place
    }

    /// Replaces this program. Returns only by an error.
    static func become(_ program: String, _ start: ListenerStart) throws(Stop) {
        var ends: [Int32] = [0, 0]
        let line = start.line
        // The line is far shorter than the buffer of a pipe.
        guard pipe(&ends) == 0, line.withUnsafeBytes({ write(ends[1], $0.baseAddress, $0.count) }) == line.count else {
            throw Stop(.refused, "\(program) cannot be told what to play.")
        }
        close(ends[1])
        // The descriptor keeps its number, because lower ones are in use by this program's loop until it is replaced.
        var words: [UnsafeMutablePointer<CChar>?] = []
        for word in [program, "--from", String(ends[0])] { words.append(strdup(word)) }
        words.append(nil)
        execv(program, words)
        throw Stop(.refused, "\(program) cannot be started.")
    }
}
