package import BatonCore
package import BatonSeams

/// Encodes items for devices that play along. A port, since the device waits for the bytes.
@Loop
package protocol ItemEncoding: AnyObject {
    /// The item in this encoding; `nil` when it is late or cannot be encoded.
    func encoded(_ playable: Playable, of uri: ItemURI, as coding: SoundCoding) async -> Playable?
}
