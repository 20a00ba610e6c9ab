import BatonProtocol

/// Command keys and client ids: random text that no two presses share.
package enum Keys {
    package static func random(length: Int = 10) -> String { Token.random(length: length) }
}
