import BatonClient
import BatonProtocol

/// `baton log`: the latest lines of the hub's log, and new ones with `--follow`.
extension Verb {
    private static let usualLines = 20
    /// Interval of polls with `--follow`.
    private static let every = Duration.milliseconds(500)

    @Sendable static func log(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        let level: LogLevel = try call.choice("level") ?? .trace
        let count = try lines(call)
        try await satellite.withHub(call) { hub in
            var query = Commands.ReadLog(level: level, limit: count)
            while true {
                let log = try await hub.send(query).whole()
                if log.missed > 0, !call.json { Output.trouble("\(log.missed) lines came too fast to be shown.") }
                for line in log.lines { print(line, call) }
                guard call.options.has("follow") else { return }
                query = Commands.ReadLog(level: level, after: log.newest, limit: Commands.ReadLog.mostOfFollowers)
                try await Task.sleep(for: every)
            }
        }
    }

    private static func lines(_ call: Invocation) throws(Stop) -> Int {
        guard let text = call.options["lines"] else { return usualLines }
        guard let count = Int(text), (1...1000).contains(count) else {
            throw Stop(.usage, "--lines is “\(text)”. Write a number from 1 to 1000.")
        }
        return count
    }

    private static func print(_ line: HubLog.Line, _ call: Invocation) {
        if call.json {
            return Output.json {
                $0.object {
                    $0.member("n", line.number)
                    $0.member("ms", line.wallMs)
                    $0.member("level", line.level.rawValue)
                    $0.member("text", line.text)
                }
            }
        }
        Output.line("\(ClockText.second(line.wallMs)) \(line.level.rawValue): \(line.text)")
    }
}
