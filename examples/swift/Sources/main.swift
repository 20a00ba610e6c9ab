/// A remote in Swift on `BatonClient`: presses come from standard input, a line each, and what there is to
/// say goes out as a line of JSON. `ReconnectingHub` does the rest: it mirrors the hub, comes back when the
/// connection breaks, and asks again with the same key when an answer was lost.
import BatonClient
import BatonProtocol
import BatonWire
import Foundation
import WebClient

@Sendable func say(_ line: JSON) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Lines of standard input. Reading waits, so it has a thread of its own.
func lines() -> AsyncStream<String> {
    AsyncStream { lines in
        Thread.detachNewThread {
            while let line = readLine(), line != "quit" { lines.yield(line) }
            lines.finish()
        }
    }
}

/// What a screen would show.
func shown(_ hub: ReconnectingHub) async -> JSON {
    let mirror = await hub.mirror
    return [
        "connected": .bool(await hub.isConnected), "title": mirror.now.map { .string($0.tags.title) } ?? nil,
        "level": mirror.volume.map { .int(Int64($0.level)) } ?? nil, "playing": .bool(mirror.timeline?.rate ?? 0 > 0),
    ]
}

struct UnknownPress: Error, CustomStringConvertible {
    let line: String
    var description: String { "This remote has no button “\(line)”." }
}

func press(_ line: String, _ hub: ReconnectingHub) async -> JSON {
    do {
        let reply =
            switch line {
            case "next": try await hub.next()?.reply
            case "prev": try await hub.send(Commands.Previous()).reply
            case "play": try await hub.send(Commands.Play()).reply
            case "pause": try await hub.send(Commands.Pause()).reply
            case "stop": try await hub.send(Commands.Stop()).reply
            case "mute", "unmute": try await hub.send(Commands.VolumeMute(line == "mute")).reply
            default: throw UnknownPress(line: line)
            }
        let why = reply?.why.map { .string($0.name) } ?? JSON.null
        return ["press": .string(line), "answer": ["ok": 1, "why": why]]
    } catch let refusal as WireError {
        return ["press": .string(line), "answer": ["ok": 0, "err": ["code": .string(refusal.code), "msg": .string(refusal.message)]]]
    } catch {
        return ["press": .string(line), "answer": ["ok": 0, "err": .string("\(error)")]]
    }
}

/// Returns when the hub is given up, which its last words explain; nobody need wait for fingers then.
func stay(with hub: ReconnectingHub) async {
    var last: ConnectFault?
    for await change in await hub.changes() { if case .away(let fault) = change { last = fault } }
    guard !Task.isCancelled, case .ended(let code?)? = last?.code else { return }
    say(["ended": .int(Int64(code))])
    exit(1)
}

let words = CommandLine.arguments
guard let endpoint = Endpoint(text: words.firstIndex(of: "--url").map { words[$0 + 1] } ?? "127.0.0.1") else { exit(2) }
let hello = Hello(view: StateView.remote.rawValue, client: .init(id: Keys.random(), run: Keys.random(), name: "Swift remote", app: "swift-remote/1"))
try await ReconnectingHub.withHub(.init(endpoint: endpoint, hello: hello), over: SocketTransport.background()) { hub in
    let dial = Dial(hub)
    await withTaskGroup { group in
        group.addTask { await stay(with: hub) }
        group.addTask { await dial.run { level, _ in say(["press": .string("vol \(level)"), "answer": ["ok": 1]]) } }
        for await line in lines() {
            if line == "show" {
                say(["shown": await shown(hub)])
            } else if line.hasPrefix("vol "), let level = Int(line.dropFirst(4)) {
                dial.turn(to: level)
            } else {
                // It begins at once, so that presses reach the hub in their order, and none waits for the answer to another.
                group.addImmediateTask { say(await press(line, hub)) }
            }
        }
        group.cancelAll()
    }
}
