/// Loops of different lengths that go round together.
import Testing

@testable import BatonComposer

@Suite struct LoopPlanTests {
    private static let most = LoopPlan.longestS * 44_100

    @Test func `the whole is as long as all loops need to begin anew at once`() throws {
        let plan = try #require(LoopPlan([4_000, 6_000, 12_000, 3_000], most: 100_000))
        #expect(plan.frames == 12_000 && plan.counts == [3, 2, 1, 4] && !plan.isCut)
        #expect(LoopPlan([4_000, 6_000], most: 100_000)?.frames == 12_000)
        #expect(LoopPlan([3_000, 7_000], most: 100_000)?.frames == 21_000)
    }

    @Test func `one loop is itself, and none or one that is too long is no plan`() {
        #expect(LoopPlan([5_000], most: 5_000)?.frames == 5_000)
        #expect(LoopPlan([], most: 5_000) == nil && LoopPlan([5_001], most: 5_000) == nil && LoopPlan([0, 3], most: 5_000) == nil)
    }

    /// BT-CLP-002
    /// The composer cuts each loop to whole frames, so 8 bars are not exactly twice 4.
    @Test(arguments: 40...200) func `loops of one tempo end together, and no round is moved by more than a frame`(tempo: Int) throws {
        let lengths = [1, 2, 4, 8].map { bars in bars * 4 * 44_100 * 60 / tempo }
        let plan = try #require(LoopPlan(lengths, most: Self.most))
        #expect(!plan.isCut && plan.frames == lengths[3] && plan.counts == [8, 4, 2, 1])
        for (loop, length) in lengths.enumerated() {
            #expect(plan.start(of: plan.counts[loop], of: loop) == plan.frames)
            for round in 0..<plan.counts[loop] {
                let frames = plan.start(of: round + 1, of: loop) - plan.start(of: round, of: loop)
                #expect(abs(frames - length) <= 1)
            }
        }
    }

    @Test func `where a whole would be too long the longest loop is it, and the others are cut`() throws {
        let plan = try #require(LoopPlan([7_000, 11_000, 13_000], most: 100_000))
        #expect(plan.isCut && plan.frames == 13_000)
        #expect((0...2).map { plan.start(of: $0, of: 0) } == [0, 7_000, 13_000])
    }
}
