import CMPV

/// A status code of libmpv; negative codes are errors.
struct MPVStatus: Error, Equatable {
    let code: Int32
    init(_ code: Int32) { self.code = code }

    var isGood: Bool { code >= 0 }
    var text: String {
        self == .missing ? "libmpv is not installed (package libmpv2)" : unsafe String(cString: baton_mpv_error_string(code))
    }

    /// The library could not be opened; not a code of libmpv.
    static let missing = MPVStatus(.min)

    static let loadingFailed = MPVStatus(MPV_ERROR_LOADING_FAILED.rawValue)
    static let outputFailed = MPVStatus(MPV_ERROR_AO_INIT_FAILED.rawValue)
    static let nothingToPlay = MPVStatus(MPV_ERROR_NOTHING_TO_PLAY.rawValue)
    static let unknownFormat = MPVStatus(MPV_ERROR_UNKNOWN_FORMAT.rawValue)
}
