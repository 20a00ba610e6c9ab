import BatonCore
import BatonKernel
import BatonSeams

/// Properties of notes for delivery that is repeated, late or dropped.
extension WriteBack {
    /// The ability that a source needs for this note.
    var ability: SourceAbout.Abilities {
        switch self {
        case .favourite: .favourites
        case .stars: .stars
        case .played: .plays
        case .nowPlaying: .nowPlaying
        case .progress: .progress
        case .queue: .queue
        }
    }

    /// True when sending it twice changes nothing. Only plays are counted.
    var isHarmlessTwice: Bool {
        if case .played = self { false } else { true }
    }

    /// True when it is stored. The current item is out of date by the time of a later delivery.
    var isKept: Bool {
        if case .nowPlaying = self { false } else { true }
    }

    /// The item whose mark it sets.
    var marked: ItemURI? {
        switch self {
        case .favourite(let uri, _), .stars(let uri, _): uri
        default: nil
        }
    }
}

extension SourceFault {
    /// True when a repeated request would always fail.
    var isFinal: Bool {
        switch code {
        case .notFound, .unsupported, .badRequest, .conflict, .anchorGone, .gone, .keyMismatch, .quota, .invalidState: true
        case .forbidden, .unreadable, .failed, .tooLarge, .unavailable, .cancelled: false
        }
    }
}
