import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel

/// The queue of slow work that gives its callers an answer.
struct BackgroundQueueTests {
    @Test func `work that waits runs one after the other, in order`() async throws {
        try await onLoop {
            let queue = BackgroundQueue()
            var ran: [Int] = []
            for number in 0..<5 {
                queue.add {
                    await Task.yield()
                    ran.append(number)
                }
            }
            _ = await Self.answer(of: queue)
            #expect(ran == [0, 1, 2, 3, 4])
        }
    }

    @Test func `a caller whose work is dropped for newer work is told that the hub is busy`() async throws {
        try await onLoop {
            let queue = BackgroundQueue()
            var open: CheckedContinuation<Void, Never>?
            queue.add { await withCheckedContinuation { open = $0 } }
            while open == nil { await Task.yield() }
            async let answer = Self.answer(of: queue)
            while queue.count == 0 { await Task.yield() }

            for _ in 0..<BackgroundQueue.most { queue.add {} }

            let sentence = await answer
            #expect(sentence == "The hub has too much to write: its disk is slow. Try again in a moment.")
            open?.resume()
        }
    }

    /// `nil` where the work was done.
    @Loop private static func answer(of queue: BackgroundQueue) async -> String? {
        do throws(SourceFault) {
            return try await queue.inTurn { () async throws(SourceFault) in String?.none }
        } catch {
            return error.sentence
        }
    }
}
