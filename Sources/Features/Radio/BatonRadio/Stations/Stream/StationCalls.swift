/// HTTP requests for one station, with the policy for its addresses.
import BatonCore
import BatonSeams

struct StationCalls: Sendable {
    let http: any HTTPCalling
    /// The policy for the address that a person entered.
    let policy: AddressPolicy
    /// The host of that address, to which redirects and playlists may lead, too.
    let host: String
    var clock = Clock.system

    /// The policy for one request. The station's own host keeps the rights of the address that a person entered;
    /// addresses of other hosts in its playlists must be public.
    private func policy(isNamed: Bool) -> AddressPolicy {
        AddressPolicy { [policy, host] target in
            var target = target
            if target.host == host { target.way = .named } else if !isNamed { return AddressPolicy.publicOnly.allows(target) }
            return policy.allows(target)
        }
    }

    func open(_ address: WebAddress, isNamed: Bool) async throws(SourceFault) -> HTTPAnswer {
        var call = HTTPCall(.get, address.text, limits: .stream, policy: policy(isNamed: isNamed))
        call.isRadio = true
        return try await answer(to: call)
    }

    func bytes(of address: WebAddress, _ range: Range<Int64>? = nil, most: Int64) async throws(SourceFault) -> [UInt8] {
        var call = HTTPCall(.get, address.text, policy: policy(isNamed: false))
        call.range = range.map { HTTPCallRange(start: $0.lowerBound, end: $0.upperBound) }
        call.limits.bodyBytes = most
        let answer = try await answer(to: call)
        let bytes: [UInt8]
        do throws(HTTPCallFault) { bytes = try await answer.whole() } catch { throw error.asSourceFault }
        // A server without range support sends the whole file.
        guard let range, answer.status == 200 else { return bytes }
        return Array(bytes.dropFirst(Int(clamping: range.lowerBound)).prefix(range.count))
    }

    func text(of address: WebAddress, most: Int64) async throws(SourceFault) -> String {
        PlaylistText.text(of: try await bytes(of: address, most: most))
    }

    private func answer(to call: HTTPCall) async throws(SourceFault) -> HTTPAnswer {
        let answer: HTTPAnswer
        do throws(HTTPCallFault) { answer = try await http.call(call) } catch { throw error.asSourceFault }
        switch answer.status {
        case 200..<300: return answer
        case 404, 410: throw SourceFault(.notFound, "The server does not have it (\(answer.status)).")
        case 401, 403: throw SourceFault(.forbidden, "The server does not let this hub listen (\(answer.status)).")
        default: throw SourceFault(.unavailable, "The server answered with \(answer.status).")
        }
    }
}
