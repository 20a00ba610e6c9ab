import BatonReading
import BatonSeams
import Glibc

/// Sentences for failures with files and pictures, including their names.
extension ReaderFailure {
    func fault(with place: PictureLocation) -> SourceFault {
        let name = place.name
        switch code {
        case .system where status == ENOENT: return SourceFault(.notFound, "There is no \(name) any more.")
        case .system: return SourceFault(.unreadable, "\(name) cannot be read: \(unsafe String(cString: strerror(status))).")
        case .notAFile: return SourceFault(.unreadable, "\(name) is no file that could be read.")
        case .empty: return SourceFault(.unreadable, "\(name) is empty.")
        case .notSound: return SourceFault(.unreadable, "\(name) holds no sound that could be found: it is broken, or something else.")
        case .tooLarge: return SourceFault(.tooLarge, "\(name) has a picture or tags larger than any sensible one, so it was not read.")
        case .noPicture: return SourceFault(.notFound, "\(place.path) holds no picture.")
        case .badPicture: return SourceFault(.unreadable, "\(name) is no picture that could be decoded.")
        case .tooManyPixels:
            return SourceFault(
                .tooLarge,
                "\(name) has more than \(PictureHeader.mostPixels / 1_000_000) million pixels, or a side of more than \(PictureHeader.longestSide), so it was not decoded."
            )
        case .cannotFit:
            return SourceFault(.tooLarge, "\(name) does not fit into so few bytes at that size: ask for a smaller one, or for JPEG.")
        case .noMemory: return SourceFault(.tooLarge, "\(name) takes more memory to read than a reader has.")
        // Failures of feeds: `feedFault`.
        case .notFeed, .isPage, .brokenFeed, .declaresEntities, .tooDeep: return feedFault
        }
    }
}

extension ReaderFailure {
    /// A failure with a feed, as the rest of a sentence that names it.
    var feedFault: SourceFault {
        switch code {
        case .empty: SourceFault(.unreadable, "it is empty.")
        case .notFeed: SourceFault(.unsupported, "it is XML, but no feed of RSS or Atom.")
        case .isPage: SourceFault(.unsupported, "it is a web page and no feed. Look on the page for the address of its feed (RSS).")
        case .brokenFeed: SourceFault(.unreadable, "it is no XML, or broken.")
        case .declaresEntities:
            SourceFault(.unsupported, "it declares entities of its own, by which a few bytes can become many; such feeds are not read.")
        case .tooDeep: SourceFault(.unsupported, "its elements stand deeper in each other than in any feed.")
        case .noMemory, .tooLarge: SourceFault(.tooLarge, "it takes more memory to read than a reader has.")
        default: SourceFault(.unreadable, "it cannot be read.")
        }
    }
}

extension ReaderLine.Loss {
    var feedFault: SourceFault {
        switch self {
        case .ended, .garbled: SourceFault(.unreadable, "it broke the program that reads feeds.")
        case .tookTooLong: .late(.unreadable, "it took too long to read.")
        }
    }

    func fault(with place: PictureLocation) -> SourceFault {
        switch self {
        case .ended, .garbled: SourceFault(.unreadable, "\(place.name) broke the program that reads files, so it was left out.")
        case .tookTooLong: .late(.unreadable, "\(place.name) took too long to read, so it was left out.")
        }
    }
}

extension SourceFault {
    static func noReader(_ name: String) -> SourceFault {
        late(.unavailable, "\(name) cannot be read now: no reader could be started, or the disk does not answer.")
    }

    fileprivate static func late(_ code: Code, _ sentence: String) -> SourceFault {
        var fault = SourceFault(code, sentence)
        fault.isLate = true
        return fault
    }
}

extension PictureLocation {
    fileprivate var path: String {
        switch self {
        case .file(let path), .embedded(let path): path
        case .bytes: name
        }
    }

    var name: String {
        switch self {
        case .file(let path): path
        case .embedded(let path): "the picture in \(path)"
        case .bytes: "the picture"
        }
    }
}
