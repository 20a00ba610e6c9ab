import BatonCore
import Testing

@Suite struct ServerPlaceTests {
    private func place(_ seconds: Int, at ms: Milliseconds? = nil, finished: Bool = false) -> ServerPlace {
        ServerPlace(positionMs: Milliseconds.seconds(seconds), isFinished: finished, atMs: ms)
    }

    @Test func `while the server has what was known of it, ours follows, also backwards`() {
        #expect(PlaceDelivery(of: place(90, at: 2), over: place(30, at: 9), parent: place(30)) == .send)
        #expect(PlaceDelivery(of: place(10, at: 2), over: place(600, at: 9), parent: place(600)) == .send)
        #expect(PlaceDelivery(of: place(0, at: 2), over: place(0, at: 9, finished: true), parent: place(0, finished: true)) == .send)
        #expect(PlaceDelivery(of: place(90, at: 2), over: .none, parent: .none) == .send)
    }

    @Test func `of two places that follow the same one the later counts, and not the larger position`() {
        #expect(PlaceDelivery(of: place(90, at: 5), over: place(700, at: 4), parent: place(30)) == .sendOver)
        #expect(PlaceDelivery(of: place(700, at: 4), over: place(90, at: 5), parent: place(30)) == .giveWay)
        #expect(PlaceDelivery(of: place(90, at: 5), over: place(0, at: 6, finished: true), parent: place(30)) == .giveWay)
        // Deleted there.
        #expect(PlaceDelivery(of: place(90, at: 5), over: .none, parent: place(30)) == .sendOver)
    }

    @Test func `a place that is there already, as when an answer was lost, is no other one`() {
        let ours = ServerPlace(positionMs: 90_700, atMs: 5)
        #expect(PlaceDelivery(of: ours, over: place(90, at: 900), parent: place(30)) == .send)
        #expect(place(0, finished: true).isSame(as: place(3_600, finished: true)))
        #expect(!place(30).isSame(as: place(31)) && !place(0).isSame(as: place(0, finished: true)))
    }
}
