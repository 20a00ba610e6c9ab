import BatonCore
import BatonKernel
import BatonSeams

/// What telling a server twice, late or not at all would mean.
extension WriteBack {
    /// What a source has to be able to for being told this.
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

    /// Each play counts; of all others the last one does.
    var isHarmlessTwice: Bool {
        if case .played = self { false } else { true }
    }

    /// What plays now is no longer true when it could be told later.
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
    /// The same request would fail again, whenever it is sent.
    var isFinal: Bool {
        switch code {
        case .notFound, .unsupported, .badRequest, .conflict, .anchorGone, .gone, .keyMismatch, .quota, .invalidState: true
        case .forbidden, .unreadable, .failed, .tooLarge, .unavailable, .cancelled: false
        }
    }
}
