/// What the picture of a station is called: the same within a day, another after it and after an edit.
import BatonCore
import BatonSeams
import Testing

@testable import BatonRadio

@Suite struct StationPictureTests {
    private static let dayMs: Milliseconds = 86_400_000
    private let station = StoredStation(
        id: 12, Station(title: "Harbour FM", url: "http://a.example/harbour", picture: "http://a.example/logo.png"))

    @Test func `the name stays within a day and is another on the next`() throws {
        let name = try #require(StationPicture.name(of: station, wallMs: Self.dayMs * 5))

        #expect(StationPicture.name(of: station, wallMs: Self.dayMs * 6 - 1) == name)
        #expect(StationPicture.name(of: station, wallMs: Self.dayMs * 6) != name)
        #expect(ArtworkID(source: "radio", name: name) != nil)
    }

    @Test(arguments: ["title", "url", "picture"]) func `an edit gives it another name`(edited: String) throws {
        var other = station
        switch edited {
        case "title": other.station.title = "Quay FM"
        case "url": other.station.url = "http://a.example/quay"
        default: other.station.picture = "http://a.example/new.png"
        }
        #expect(StationPicture.name(of: other, wallMs: 0) != StationPicture.name(of: station, wallMs: 0))
    }

    @Test func `a name of any day leads to its station, and a station without a picture has none`() throws {
        for day in [0, 1, 20_000] {
            let name = try #require(StationPicture.name(of: station, wallMs: Self.dayMs * day))
            #expect(StationPicture.id(of: name) == 12)
        }
        #expect(StationPicture.id(of: "12") == 12)
        #expect(StationPicture.id(of: "logo-12") == nil)
        #expect(StationPicture.name(of: StoredStation(id: 1, Station(title: "A", url: "http://a.example/")), wallMs: 0) == nil)
    }
}
