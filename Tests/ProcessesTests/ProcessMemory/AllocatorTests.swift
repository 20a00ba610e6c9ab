import Glibc
import Testing

@testable import Processes

@Suite(.serialized) struct `Memory goes back to the system` {
    @Test func `what was freed below a block that stays is given back`() throws {
        let before = try #require(ProcessFigures.now)
        // Small blocks, so that none has pages of its own, and the last of them keeps the heap from shrinking.
        var blocks = (0..<16_384).map { _ in UnsafeMutableRawPointer.allocate(byteCount: 4_000, alignment: 16) }
        for block in blocks { memset(block, 1, 4_000) }
        let last = blocks.removeLast()
        let full = try #require(ProcessFigures.now)
        for block in blocks { block.deallocate() }

        Allocator.returnFreePages()

        let after = try #require(ProcessFigures.now)
        last.deallocate()
        #expect(full.ownBytes - before.ownBytes > 48 << 20)
        #expect(full.ownBytes - after.ownBytes > 48 << 20)
    }

    @Test func `the allocator and the kernel count what there is`() throws {
        let figures = Allocator.figures
        let process = try #require(ProcessFigures.now)
        #expect(figures.heap > 0 && figures.used > 0 && figures.used + figures.free <= figures.heap + figures.mapped)
        #expect(process.residentBytes > process.ownBytes && process.ownBytes > 0 && process.threads > 0)
    }
}
