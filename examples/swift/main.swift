/// A remote in Swift on `BatonClient`: presses come from standard input, a line each, and what there is
/// to say goes out as a line of JSON. `SteadyHub` does the rest: it mirrors the hub, comes back when the
/// connection breaks, and asks again with the same key when an answer was lost.
import BatonClient
import BatonProtocol
import BatonSeams
import Foundation
import Sockets

@Sendable func nowUs() -> Int64 { Int64(ProcessInfo.processInfo.systemUptime * 1_000_000) }

func say(_ line: JSON) { FileHandle.standardOutput.write(Data(JSONWriter.bytes { $0.value(line) } + [10])) }

/// Lines of standard input. Reading waits, so it has a thread of its own.
func lines() -> AsyncStream<String> {
    AsyncStream { lines in
        Thread.detachNewThread {
            while let line = readLine() { lines.yield(line) }
            lines.finish()
        }
    }
}

/// What a screen would show.
func shown(_ hub: SteadyHub) async -> JSON {
    let mirror = await hub.mirror
    return [
        "connected": .bool(await hub.isConnected), "title": mirror.now.map { .string($0.tags.title) } ?? nil,
        "level": mirror.volume.map { .int(Int64($0.level)) } ?? nil, "playing": .bool(mirror.timeline?.rate ?? 0 > 0),
    ]
}

func press(_ line: String, _ hub: SteadyHub) async {
    let words = line.split(separator: " ").map(String.init)
    let current = await hub.mirror.now?.entry
    var answer: JSON = ["ok": 1]
    do {
        let reply =
            switch words.first {
            case "next", "prev": try await hub.command(words[0], current.map { ["from": .string($0.text)] } ?? [:], key: Keys.random())
            case "vol": try await hub.command("vol.set", ["level": .int(Int64(words.last ?? "") ?? 0)])
            case "mute", "unmute": try await hub.command("vol.mute", ["on": .bool(words[0] == "mute")])
            default: try await hub.command(words.first ?? "")
            }
        if case .applied(let why?) = reply.reply.outcome { answer = ["ok": 1, "why": .string(why.name)] }
    } catch { answer = ["ok": 0, "err": .string("\(error)")] }
    say(["press": .string(line), "answer": answer])
}

/// A wheel that is turned: a newer level replaces one that was not sent yet.
actor Wheel {
    private var wanted: String?
    private var turning: Task<Void, Never>?

    func turn(_ line: String, _ hub: SteadyHub) {
        wanted = line
        guard turning == nil else { return }
        turning = Task {
            while let line = take() {
                await press(line, hub)
                try? await Task.sleep(for: .milliseconds(70))
            }
        }
    }

    private func take() -> String? {
        defer { wanted = nil }
        if wanted == nil { turning = nil }
        return wanted
    }
}

/// Returns when the hub is given up, which its last words explain; nobody need wait for fingers then.
func stayWith(_ hub: SteadyHub) async {
    var last: ConnectFault?
    for await change in await hub.changes() {
        if case .away(let fault) = change { last = fault }
    }
    guard !Task.isCancelled, case .ended(let code?)? = last?.code else { return }
    say(["ended": .int(Int64(code))])
    exit(1)
}

let arguments = ProcessInfo.processInfo.arguments
let address = arguments.firstIndex(of: "--url").map { arguments[$0 + 1] } ?? "ws://127.0.0.1:9442"
let hello = Hello(profile: .remote, client: .init(id: Keys.random(), run: Keys.random(), name: "Swift remote", app: "swift-remote/1"))

exit(
    try EventLoop.run(log: .silent) { loop in
        guard let endpoint = Endpoint(text: address) else { return 2 }
        let plan = HubConnection.Plan(endpoint: endpoint, hello: hello)
        do {
            try await SteadyHub.withHub(plan, over: SocketTransport(loop: loop), .lasting, nowUs: nowUs) { hub in
                let wheel = Wheel()
                await withTaskGroup { group in
                    group.addTask { await stayWith(hub) }
                    for await line in lines() {
                        switch line.prefix(4) {
                        case "quit": return group.cancelAll()
                        case "show": say(["shown": await shown(hub)])
                        case "vol ": await wheel.turn(line, hub)
                        default: await press(line, hub)
                        }
                    }
                }
            }
            return 0
        } catch { return 1 }
    })
