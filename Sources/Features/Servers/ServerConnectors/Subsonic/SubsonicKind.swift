/// The kind `subsonic`: the settings of an account.
package import BatonSeams

package enum SubsonicKind {
    /// The kind, whose stations are played by `radio`.
    package static func kind(_ radio: any StationHearing) -> SourceKind {
        SourceKind(
            name: "subsonic", title: "Subsonic (Navidrome, supysonic, gonic and others)",
            options: [
                SourceKind.Option(
                    name: "quality", about: "“raw” plays files as they are; FORMAT:KBPS, such as opus:128, has the server transcode them.",
                    usual: Quality.usual, complaint: Quality.complaint),
                SourceKind.Option(
                    name: "sync_queue",
                    about: "Whether the hub saves its queue at the server, so that other players of the account can go on.",
                    usual: "no", complaint: { ["yes", "no"].contains($0) ? nil : "sync_queue is yes or no." }),
            ],
            missing: missing,
            make: { account, secrets, parts throws(SourceFault) in
                try SubsonicConnector(account, secrets: secrets, parts: parts, radio: radio)
            })
    }

    @Sendable
    static func missing(_ secrets: SourceSecrets) -> String? {
        if let key = secrets.apiKey, !key.isEmpty { return nil }
        if secrets.user?.isEmpty ?? true { return "A Subsonic account needs a user name and a password, or an API key." }
        return secrets.password == nil ? "A Subsonic account needs the password of its user, or an API key." : nil
    }
}

/// The format in which songs are requested.
enum Quality: Equatable, Sendable {
    /// The original file.
    case raw
    case transcoded(format: String, kbps: Int)

    static let usual = "raw"

    init?(_ text: String) {
        if text == Self.usual {
            self = .raw
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, 1...8 ~= parts[0].utf8.count, let kbps = Int(parts[1]), 8...2_000 ~= kbps else { return nil }
        guard parts[0] != "raw", parts[0].allSatisfy({ $0.isASCII && ($0.isLowercase || $0.isNumber) }) else { return nil }
        self = .transcoded(format: String(parts[0]), kbps: kbps)
    }

    @Sendable
    static func complaint(_ text: String) -> String? {
        Quality(text) == nil ? "quality is “raw”, or a format and its bit rate in kbit/s from 8 to 2000, such as mp3:192." : nil
    }
}
