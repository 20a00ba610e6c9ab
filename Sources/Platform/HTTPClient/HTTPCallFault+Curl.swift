import BatonSeams
import CCurl

/// libcurl's codes as sentences. Its own texts are left out: some of them quote the URL.
extension HTTPCallFault {
    init(_ code: CURLcode, _ url: URLParts) {
        let origin = url.origin
        self =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST: .init(.unreachable, "The name \(url.host) could not be found.", isUntaken: true)
            case CURLE_COULDNT_RESOLVE_PROXY: .init(.unreachable, "The proxy for \(origin) could not be found.", isUntaken: true)
            case CURLE_COULDNT_CONNECT: .init(.unreachable, "\(origin) does not accept connections.", isUntaken: true)
            case CURLE_OPERATION_TIMEDOUT: .init(.timedOut, "\(origin) takes too long to answer.")
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
                .init(
                    .certificate, "The certificate of \(origin) is not one that this machine trusts, or it is for another name.",
                    isUntaken: true)
            case CURLE_SSL_CACERT_BADFILE: .init(.certificate, "The certificates that this machine trusts cannot be read.", isUntaken: true)
            case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM:
                .init(.certificate, "No encrypted connection to \(origin) could be made.", isUntaken: true)
            case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE:
                .init(.unreachable, "The connection to \(origin) broke off.")
            case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_BAD_CONTENT_ENCODING:
                .init(.badAnswer, "\(origin) did not answer as an HTTP server does.")
            case CURLE_OUT_OF_MEMORY: .init(.unavailable, "There is no memory for a call.", isUntaken: true)
            default: .init(.badAnswer, "The call to \(origin) failed (libcurl's code \(code.rawValue)).")
            }
    }
}
