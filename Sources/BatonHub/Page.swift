/// Stand-in.
enum Page {
    static let contentSecurityPolicy = "default-src 'self'"
    static let bytes: [UInt8] = Array("<!doctype html><title>Baton</title>".utf8)
}
