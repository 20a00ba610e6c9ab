/// URIs of the radio: `radio:station/12` for a kept station, `radio:found/…` with the address of a station in the
/// directory, and the shelves.
import BatonCore

enum RadioItem: Equatable {
    enum Shelf: String, CaseIterable {
        case presets, stations, directory
    }

    case shelf(Shelf)
    case station(Int)
    case found(url: String)

    static let source = "radio"

    init?(_ uri: ItemURI) {
        let text = uri.text
        guard text.hasPrefix(Self.source + ":"), let slash = text.firstIndex(of: "/") else { return nil }
        let kind = text[..<slash].dropFirst(Self.source.count + 1)
        let id = text[text.index(after: slash)...]
        switch kind {
        case "shelf":
            guard let shelf = Shelf(rawValue: String(id)) else { return nil }
            self = .shelf(shelf)
        case "station":
            guard let number = Int(id), number > 0, String(number) == id else { return nil }
            self = .station(number)
        case "found":
            guard let url = PercentText.decoded(id), WebAddress(url)?.text == url else { return nil }
            self = .found(url: url)
        default: return nil
        }
    }

    var uri: ItemURI {
        switch self {
        case .shelf(let shelf): ItemURI("\(Self.source):shelf/\(shelf.rawValue)")
        case .station(let id): ItemURI("\(Self.source):station/\(id)")
        case .found(let url): ItemURI("\(Self.source):found/\(PercentText.encoded(url))")
        }
    }
}
