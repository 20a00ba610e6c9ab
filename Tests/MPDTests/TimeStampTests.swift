import BatonSeams
import Testing

@testable import MPD

/// Times in filters.
@Suite struct TimeStampTests {
    private func read(_ text: String) -> (seconds: Int?, sentence: String?) {
        do throws(Ack) {
            return (try TimeStamp.seconds(text), nil)
        } catch {
            return (nil, error.sentence)
        }
    }

    @Test(arguments: [
        ("1970-01-01", 0), ("2020-09-13", 1_599_955_200), ("2020-9-1", 1_598_918_400), ("2020-09-13T12Z", 1_599_998_400),
        ("2020-09-13T12:26Z", 1_599_999_960), ("2020-09-13T12:26:40Z", 1_600_000_000), ("2020-09-13T12:26:40", 1_600_000_000),
        ("20200913T122640Z", 1_600_000_000), ("2020-09-13T13:26:40+01:00", 1_600_000_000), ("2020-09-13T06:56:40-0530", 1_600_000_000),
        ("2000-02-29", 951_782_400), ("1600000000", 1_600_000_000), ("0", 0), (" 5", 5), ("+5", 5), ("-5", -5), ("20200913", 20_200_913),
    ])
    func `a date, a time or seconds are read`(text: String, seconds: Int) {
        #expect(read(text).seconds == seconds)
    }

    @Test(arguments: ["", "yesterday", "2020-13-13", "2020-01-32", "2020-01-01T", "2020-01-01T25:00Z", "2020-01-01T12:60Z", "12x"])
    func `other texts are no time`(text: String) {
        #expect(read(text).sentence == "Failed to parse date")
    }

    @Test func `a time has nothing behind it`() {
        #expect(read("2020-09-13T12:26:40Zx").sentence == "Garbage at end of time stamp")
    }

    @Test func `a tag is known in any case`() {
        #expect(TagName(anyCase: "ALBUMARTIST") == .albumArtist)
        #expect(TagName(anyCase: "musicbrainz_trackid") == .trackID)
        #expect(TagName(anyCase: "any") == nil)
    }
}
