/// The page that the hub serves at `GET /`: a remote for any screen with a browser, from a watch to a wall.
///
/// One document without a build step and without a request to any other host. It speaks the `watch`
/// profile like every other remote, and knows nothing that the hub has not told it over that connection.
package enum Page {
    /// The document as it goes over the wire.
    package static let bytes: [UInt8] = html.withUTF8Buffer { Array($0) }

    /// What the page may do, as `content-security-policy`. The hashes are those of its one style and its one
    /// script, so markup that found its way in would be inert; whoever edits either gives the new hash here,
    /// and a browser that meets an old one names the hash it wants.
    package static let contentSecurityPolicy = [
        "default-src 'none'",
        "script-src 'sha256-yIi3gJFU1nCVyijZbUkBB3G+gmoFGgj7+UjFyBCV5jc='",
        "style-src 'sha256-JdQjmZVLwxIcIN/m39BQg0EkvgX0GnPPwZFv4RuzNXc='",
        "connect-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
    ].joined(separator: "; ")
}
