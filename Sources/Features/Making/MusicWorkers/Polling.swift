/// Polls a job at a service: intervals between polls, and limits for invalid answers.
import BatonJSON
import BatonSeams

struct Polling {
    enum Found: Equatable {
        /// The worker was restarted and has lost the job.
        case unknown
        /// In progress; without a percentage it has not started.
        case making(Int?, String?)
        case done
        case failed(String)
        case unreadable
    }

    private var polls = 0
    private var unreadable = 0
    private var missing = 0

    /// Consecutive unreadable answers that are tolerated, about half a minute.
    private static let mostUnreadable = 20
    private static let mostMissing = 3

    mutating func take(_ found: Found, _ name: String) throws(SourceFault) -> Found {
        polls += 1
        unreadable = found == .unreadable ? unreadable + 1 : 0
        missing = found == .done ? missing + 1 : 0
        if unreadable > Self.mostUnreadable {
            throw SourceFault(.failed, "The worker “\(name)” does not say how far the job is: its answers cannot be read.")
        }
        if missing > Self.mostMissing {
            throw SourceFault(.failed, "The worker “\(name)” says that the piece is there, and does not have it.")
        }
        return found
    }

    /// Waits 0.4 to 2 seconds.
    func pause() async throws(SourceFault) {
        do { try await Task.sleep(for: .milliseconds(400 * max(1, min(polls, 5)))) } catch { throw .cancelled }
    }
}

extension Polling.Found {
    /// Parses an answer. Unknown states of newer workers count as work in progress.
    init(_ json: JSON?, _ name: String) {
        let message = json?["message"]?.string.map { DisplayLine.cut($0, 160) }
        switch json?["state"]?.string {
        case "succeeded", "completed": self = .done
        case "failed": self = .failed(message ?? "The worker “\(name)” says that it failed, and not why.")
        case "running": self = .making(Self.percent(json?["progress"]), message)
        case "queued": self = .making(nil, message)
        case let other?: self = .making(nil, message ?? "The worker says “\(DisplayLine.cut(other, 32))”.")
        case nil: self = .unreadable
        }
    }

    private static func percent(_ value: JSON?) -> Int {
        switch value {
        case .int(let number): number >= 1 ? 100 : 0
        case .double(let number): number.isFinite ? Int(max(0, min(1, number)) * 100) : 0
        default: 0
        }
    }
}
