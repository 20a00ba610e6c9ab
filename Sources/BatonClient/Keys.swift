/// Command keys and client ids: random text that no two presses share.
package enum Keys {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package static func random(length: Int = 10) -> String {
        var generator = SystemRandomNumberGenerator()
        // The alphabet is not empty.
        return String(decoding: (0..<length).map { _ in alphabet.randomElement(using: &generator)! }, as: UTF8.self)
    }
}
