/// Items that are kept apart, across restarts of the program.
import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

@testable import Stores

struct SplitTests {
    @Test func `a pair is kept once, in either order, until it is taken back`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let pair = FoldSplit(ItemURI("lib:track/ä"), ItemURI("home:track/1"))
            let same = FoldSplit(pair.second, pair.first)
            var store = try SourceStore(folder: folder)
            #expect(try store.setSplit(pair, true))
            #expect(try !store.setSplit(same, true))
            store.close()

            store = try SourceStore(folder: folder)
            #expect(try store.splits() == [pair])
            #expect(try store.setSplit(same, false))
            #expect(try !store.setSplit(pair, false))
            #expect(try store.splits().isEmpty)
            store.close()
        }
    }
}
