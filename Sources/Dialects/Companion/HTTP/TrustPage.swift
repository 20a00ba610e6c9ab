import BatonCore
import BatonSeams

/// Instructions for trusting the hub's certificate on each platform, and their consequences.
enum TrustPage {
    private struct Platform {
        let name: String
        let steps: [String]
    }

    private static let platforms = [
        Platform(
            name: "iPhone and iPad",
            steps: [
                "Open this page in Safari and tap the certificate. Allow the download.",
                "Settings, General, VPN &amp; Device Management: install the profile.",
                "Settings, General, About, Certificate Trust Settings: switch the root on.",
            ]),
        Platform(
            name: "Android",
            steps: [
                "Download the certificate.",
                "Settings, Security, More, Encryption &amp; credentials, Install a certificate, CA certificate: choose the file.",
            ]),
        Platform(
            name: "macOS",
            steps: [
                "Download the certificate and open it: Keychain Access takes it in.",
                "Open it there, Trust, “Always Trust” for SSL.",
            ]),
        Platform(
            name: "Windows",
            steps: [
                "Download the certificate and open it, Install Certificate, Current User.",
                "“Place all certificates in the following store”: Trusted Root Certification Authorities.",
            ]),
        Platform(
            name: "Linux, Debian and relatives",
            steps: [
                "Copy the file to <code>/usr/local/share/ca-certificates/</code> and run <code>sudo update-ca-certificates</code>.",
                "Chromium keeps its own: Settings, Privacy, Security, Manage certificates, Import.",
            ]),
        Platform(
            name: "Firefox, everywhere",
            steps: ["Settings, Privacy &amp; Security, View Certificates, Authorities, Import; tick “identify websites”."]),
    ]

    static func response(_ hub: String, in theme: PairTheme) -> HTTPResponse {
        let steps = platforms.map { platform in
            "<h2>\(platform.name)</h2><ol>" + platform.steps.map { "<li>\($0)</li>" }.joined() + "</ol>"
        }
        return PairPage.html(
            200, title: "The certificate of \(hub)", in: theme,
            """
            <h1>Trust \(MarkupText.escaped(hub))</h1>
            <p>The hub made its certificate itself, so your browser does not know it and warns. Without trust a session is safe from
            whoever listens, and not from somebody who stands between you and the hub at the first visit. With it, from both.</p>
            <p><a href="/trust/baton-root.crt">Download the root certificate</a>. It can vouch for names and addresses of homes only,
            never for a site on the internet. Compare its fingerprint with what <code>baton doctor</code> says on the hub's
            machine.</p>
            \(steps.joined(separator: "\n"))
            <p><a href="/">To the remote</a></p>
            """)
    }
}
