/// What servers say of the length of a file.
import BatonSeams
import Testing

@Suite struct ContentRangeTests {
    private final class Nothing: HTTPBody {
        func next() async throws(HTTPCallFault) -> [UInt8]? { nil }
        func cancel() {}
    }

    private func answer(_ status: Int, _ headers: [(String, String)]) -> HTTPAnswer {
        HTTPAnswer(status: status, headers: headers.map { HTTPCall.Header($0, $1) }, body: Nothing())
    }

    @Test func `a part says where it begins and how long the whole is`() {
        let part = answer(206, [("content-length", "100"), ("content-range", "bytes 200-299/1234")])
        #expect(part.firstByte == 200 && part.wholeLength == 1234)
        let whole = answer(200, [("content-length", "100")])
        #expect(whole.firstByte == 0 && whole.wholeLength == 100)
    }

    @Test func `what is not known is not made up`() {
        #expect(answer(206, [("content-length", "100")]).firstByte == nil)
        #expect(answer(206, [("content-length", "100")]).wholeLength == nil)
        #expect(answer(206, [("content-range", "bytes 0-99/*")]).wholeLength == nil)
        #expect(answer(206, [("content-range", "bytes 0-99/*")]).firstByte == 0)
        #expect(answer(416, [("content-range", "bytes */1234")]).contentRange?.total == 1234)
        #expect(answer(200, [("content-length", "-5")]).wholeLength == nil)
        #expect(answer(200, []).wholeLength == nil)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-99", "bytes 0/1234", "bytes 99-0/1234", "bytes 0-1234/1234", "bytes -5-99/1234", "bytes 0-99/-1",
        "items 0-99/1234",
        "bytes 0-99/1234/5", "bytes 99999999999999999999-0/1",
    ]) func `a range that makes no sense is none`(text: String) {
        #expect(HTTPContentRange(text) == nil)
    }
}
