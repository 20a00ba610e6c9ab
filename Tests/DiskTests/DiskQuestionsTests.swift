/// The threads of one disk.
import BatonSeams
import Glibc
import Testing

@testable import Disk

struct DiskQuestionsTests {
    @Test func `threads with nothing to ask end, and the next question has one`() async throws {
        let questions = DiskQuestions(patienceMs: 8_000, idleMs: 10) {}
        for round in 0..<300 {
            #expect(try ask(questions, round) == round)
            // Every other round, a thread has just enough time to begin to end.
            if round.isMultiple(of: 2) { try await Task.sleep(for: .milliseconds(10)) }
        }
        let end = ContinuousClock.now + .seconds(20)
        while questions.threadCount > 0, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(2)) }
        #expect(questions.threadCount == 0)
        #expect(try ask(questions, 7) == 7)
    }

    private func ask(_ questions: DiskQuestions, _ number: Int) throws -> Int {
        try questions.ask(orElse: { SourceFault(.unavailable, "It does not answer.") }) { number }
    }
}
