import BatonClient
import BatonCore
import BatonProtocol

/// Verbs for the sleep timer.
extension Verb {
    private static let usualFadeSeconds = 20

    @Sendable static func sleep(_ call: Invocation, _ satellite: Satellite) async throws {
        let words = try call.operands.isEmpty ? nil : SleepWords(call.operands)
        let fadeMs = try fade(call)
        try await satellite.withHub(call) { hub in
            try await hub.needs(.sleepSet)
            let timer = try await hub.state().sleep.flatMap { $0.isOver ? nil : $0 }
            if let words {
                let running = timer.map { (end: $0.end, leftMs: $0.leftMs) }
                let leftMs = await hub.sleepLeftMs()
                let wish = try words.wish(over: running.map { ($0.end, leftMs) }, fadeMs: fadeMs ?? timer?.fadeMs ?? 0)
                if let wish { try await hub.send(Commands.SleepSet(wish)) } else { try await hub.send(Commands.SleepClear()) }
            }
            try await reportSleep(call, hub)
        }
    }

    /// The length of the fade. `--fade` alone means the usual one.
    private static func fade(_ call: Invocation) throws -> Milliseconds? {
        guard let text = call.options["fade"] else { return nil }
        let ms = (text.isEmpty ? usualFadeSeconds : Int(text) ?? -1).multipliedReportingOverflow(by: 1000)
        guard !ms.overflow, SleepWish.fadeRange.contains(Milliseconds(ms.partialValue)) else {
            throw Stop(.usage, "--fade takes 0 to \(SleepWish.fadeRange.upperBound.seconds) seconds, and not “\(text)”.")
        }
        return Milliseconds(ms.partialValue)
    }

    private static func reportSleep(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        if call.json { return try await report(call, hub) }
        let mirror = await hub.mirror
        Output.line(StatusText(mirror: mirror, positionMs: 0).prefix + describe(mirror.sleep, leftMs: await hub.sleepLeftMs()))
    }

    static func describe(_ timer: SleepSection?, leftMs: Milliseconds?) -> String {
        guard let timer else { return "no sleep timer" }
        if timer.isOver { return "the sleep timer has ended the playing; where to go on: baton progress asleep" }
        let left = leftMs.map { TimeText.left(ms: $0) }
        let fade = timer.fadeMs > 0 ? ", with a fade of \(timer.fadeMs.seconds) s" : ""
        let standing = timer.rate == 0 ? ", counted while it plays" : ""
        if timer.end == .time { return "falls silent after \(left ?? "a while")\(fade)\(standing)" }
        let count = timer.count ?? 1
        let ends = count > 1 ? "after \(count) \(timer.end.rawValue)s" : "at the end of the \(timer.end.rawValue)"
        return "falls silent \(ends)\(left.map { ", in \($0)" } ?? "")\(fade)"
    }
}
