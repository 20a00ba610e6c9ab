/// Requests to podcast servers: feeds, the sound of episodes, and small files.
///
/// A feed may name any address. Addresses outside of the internet are allowed only on the feed's own server, and on
/// this machine only if the feed was added from this machine.
import BatonCore
import BatonJSON
import BatonSeams

struct FeedServer: Sendable {
    struct Reply: Sendable {
        var answer: FeedChange.Answer
        /// The feed's permanent address after redirects.
        var movedTo: String?
        /// The fault of a failed request.
        var fault: SourceFault?
    }

    let http: any HTTPCalling
    let secrets: any SecretStorage
    private static let mostFeedBytes: Int64 = 32 << 20
    private static let mostChapterBytes: Int64 = 1 << 20

    static func secretName(_ id: Int) -> String { "podcast-\(id)" }

    // MARK: Feeds

    func feed(of podcast: StoredPodcast, _ secrets: SourceSecrets, _ reading: any FeedReading) async -> Reply {
        var call = HTTPCall(.get, podcast.url, headers: Self.login(secrets), policy: Self.policy(of: podcast))
        call.limits.bodyBytes = Self.mostFeedBytes
        call.limits.isQuiet = podcast.checkedMs != nil
        if let tag = podcast.entityTag { call.headers.append(.init("If-None-Match", tag)) }
        if let changed = podcast.changed { call.headers.append(.init("If-Modified-Since", changed)) }
        do throws(HTTPCallFault) {
            return try await read(try await http.call(call), of: podcast, with: reading)
        } catch {
            let fault = error.asSourceFault
            let sentence = fault.code == .tooLarge ? "The feed is larger than \(Self.mostFeedBytes >> 20) MiB." : fault.sentence
            return Reply(answer: .failed(sentence, retryAfterMs: nil), fault: fault)
        }
    }

    private func read(_ answer: HTTPAnswer, of podcast: StoredPodcast, with reading: any FeedReading) async throws(HTTPCallFault) -> Reply {
        switch answer.status {
        case 200:
            let bytes = try await answer.whole()
            let validators = FeedChange.Validators(entityTag: answer.stored("etag"), changed: answer.stored("last-modified"))
            do throws(SourceFault) {
                return Reply(answer: .feed(try reading.feed(bytes), validators), movedTo: answer.movedTo)
            } catch {
                let sentence = "The feed cannot be read: \(error.sentence)"
                return Reply(answer: .failed(sentence, retryAfterMs: nil), fault: SourceFault(error.code, sentence))
            }
        case 304: return Reply(answer: .unchanged, movedTo: answer.movedTo)
        case 410: return Reply(answer: .gone)
        default:
            let (code, sentence) = Self.refusal(answer.status)
            return Reply(
                answer: .failed(sentence, retryAfterMs: answer.retryAfterMs), fault: SourceFault(code, sentence))
        }
    }

    private static func refusal(_ status: Int) -> (SourceFault.Code, String) {
        switch status {
        case 401, 403: (.forbidden, "The server wants a user and a password for this feed, or others than these (\(status)).")
        case 404: (.notFound, "The server has no feed at this address (404).")
        case 429, 503: (.unavailable, "The server has too much to do just now (\(status)).")
        default: (.unavailable, "The server answers with \(status) in the place of the feed.")
        }
    }

    private static func login(_ secrets: SourceSecrets) -> [HTTPCall.Header] {
        guard let user = secrets.user else { return [] }
        return [.init("Authorization", BasicLogin.header(user, secrets.password ?? ""))]
    }

    // MARK: Sound

    func sound(of stored: StoredEpisode, limits: HTTPCallLimits) async throws(SourceFault) -> NamedBytes {
        let title = stored.episode.title
        do throws(SourceFault) {
            let call = try call(stored.episode.url, of: stored.podcast, limits)
            let content = try await http.open(call)
            let type = (content as? any HTTPByteSource)?.header("content-type")?.lowercased() ?? ""
            guard !type.hasPrefix("text/html") else {
                throw SourceFault(.unsupported, "its server answers with a web page where the sound should be.")
            }
            return NamedBytes(Self.name(of: stored.episode, type), content)
        } catch {
            var fault = error
            fault.sentence = "“\(title)” cannot be played: \(error.sentence)"
            throw fault
        }
    }

    private static let endings = [
        "audio/mpeg": "mp3", "audio/mp3": "mp3", "audio/mp4": "m4a", "audio/x-m4a": "m4a", "audio/aac": "aac", "audio/ogg": "ogg",
        "audio/opus": "opus", "audio/flac": "flac", "audio/wav": "wav", "video/mp4": "mp4",
    ]

    /// The last part of the path, with a suffix that tells decoders the format.
    private static func name(of episode: Episode, _ type: String) -> String {
        let path = episode.url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init) ?? "episode"
        let name = PercentText.decoded(path) ?? path
        if let dot = name.lastIndex(of: "."), 2...5 ~= name[dot...].count { return name }
        let plain = type.prefix { $0 != ";" }
        return "\(name).\(endings[String(plain)] ?? endings[episode.type] ?? "mp3")"
    }

    private func call(_ url: String, of podcast: StoredPodcast, _ limits: HTTPCallLimits) throws(SourceFault) -> HTTPCall {
        let isSameServer = Self.server(url) == Self.server(podcast.url)
        let stored = isSameServer ? try secrets.secrets(of: Self.secretName(podcast.id)) : nil
        return HTTPCall(
            .get, url, headers: Self.login(stored ?? SourceSecrets()), limits: limits,
            policy: isSameServer ? Self.policy(of: podcast) : .publicOnly)
    }

    /// The policy for a feed's server. A feed that was added from this machine may also be redirected to addresses on
    /// this machine, within its own server.
    private static func policy(of podcast: StoredPodcast) -> AddressPolicy {
        let named = AddressPolicy.named(onThisMachine: podcast.isOwn)
        let scheme = WebAddress.scheme(of: podcast.url) ?? ""
        guard podcast.isOwn, let server = AllowedHost(text: String(server(podcast.url).dropFirst(scheme.count))) else { return named }
        let home = AllowedHost(server.host, port: server.port ?? (scheme == "https://" ? 443 : 80))
        return AddressPolicy { named.allows($0) || home.matches($0) }
    }

    /// The scheme, host and port of a URL.
    private static func server(_ url: String) -> Substring {
        let start = WebAddress.scheme(of: url)?.count ?? 0
        return url.prefix(start + url.dropFirst(start).prefix { !"/?#".contains($0) }.count)
    }

    // MARK: Small files

    func file(at url: String, of podcast: StoredPodcast, mostBytes: Int64, called name: String) async throws(SourceFault) -> [UInt8] {
        var limits = HTTPCallLimits()
        limits.bodyBytes = mostBytes
        let call = try call(url, of: podcast, limits)
        do throws(HTTPCallFault) {
            let answer = try await http.call(call)
            guard answer.status == 200 else { throw HTTPCallFault(.badAnswer, "The server answered with \(answer.status).") }
            return try await answer.whole()
        } catch {
            throw SourceFault(.unavailable, "\(name) cannot be had: \(error.sentence)")
        }
    }

    /// The chapters in the file that the feed names; empty if it cannot be read, because the sound plays without them.
    func chapters(of stored: StoredEpisode) async -> [Chapter] {
        guard let url = stored.episode.chapters else { return [] }
        let name = "The chapters of “\(stored.episode.title)”"
        guard let bytes = try? await file(at: url, of: stored.podcast, mostBytes: Self.mostChapterBytes, called: name) else { return [] }
        return EpisodeChapters.read(bytes, durationMs: stored.episode.durationMs)
    }
}

extension HTTPAnswer {
    /// A header for later conditional requests.
    fileprivate func stored(_ name: String) -> String? { header(name).flatMap { $0.utf8.count <= 256 ? $0 : nil } }

    /// The pause that the server asks for, in seconds or as a date by the server's own clock.
    fileprivate var retryAfterMs: Milliseconds? {
        guard let text = header("retry-after") else { return nil }
        if let seconds = UInt32(text) { return Milliseconds.seconds(seconds) }
        guard let until = FeedTime.moment(text), let now = dateMs else { return nil }
        return max(0, until - now)
    }
}
