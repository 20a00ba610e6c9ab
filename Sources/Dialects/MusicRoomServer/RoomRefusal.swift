/// A refusal over HTTP: a status, and a sentence for the person.
import BatonProtocol
import BatonSeams

struct RoomRefusal: Error, Equatable {
    var status: Int
    var sentence: String
    var retryAfterS: Int?

    init(_ status: Int, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    init(_ fault: RoomFault) { self.init(400, fault.sentence) }

    init(_ fault: ProtocolFault) { self.init(WireError(fault)) }

    init(_ error: WireError) {
        self.init(Self.status(of: error), error.message)
        retryAfterS = error.afterMs.map { max(1, Int(($0.count + 999) / 1000)) }
    }

    init(_ fault: SourceFault) {
        let status =
            switch fault.code {
            case .badRequest: 400
            case .forbidden: 403
            case .notFound, .gone, .unreadable, .unsupported: 404
            case .conflict, .anchorGone, .keyMismatch, .invalidState: 409
            case .tooLarge: 413
            case .unavailable: 503
            case .cancelled: 503
            case .quota: 507
            case .failed: 502
            }
        self.init(status, fault.sentence)
    }

    private static func status(of error: WireError) -> Int {
        switch error.known {
        case .badRequest, .unknownType: 400
        case .unauthorized, .revoked, .wrongPassword, .signedOut: 401
        case .forbidden: 403
        case .notFound: 404
        case .tooLarge: 413
        case .rateLimited, .busy: 429
        case .internal: 500
        case .unknownCommand, .unsupported: 501
        case .unavailable, .sourceFailed, .timeout, .cancelled: 503
        default: 409
        }
    }

    var response: HTTPResponse {
        var response = HTTPResponse.roomJSON(status, RoomMessage.fault(sentence))
        // Some apps retry at once if they are told to wait without a time.
        if let wait = retryAfterS ?? (status == 429 ? 1 : nil) { response.headers.append(("retry-after", String(wait))) }
        return response
    }
}

extension HTTPResponse {
    static func roomJSON(_ status: Int = 200, _ body: [UInt8], headers: [(name: String, value: String)] = []) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("content-type", "application/json"), ("cache-control", "no-store")] + headers, body: body)
    }

    /// Success without further data.
    static var roomDone: HTTPResponse { .roomJSON(200, RoomText.object { $0.member("ok", true) }) }
}
