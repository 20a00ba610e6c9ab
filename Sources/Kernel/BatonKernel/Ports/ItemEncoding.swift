package import BatonCore
package import BatonSeams

/// Encodes items for devices that play along. A device waits for the bytes, so it is asked.
@Loop
package protocol ItemEncoding: AnyObject {
    /// The item in this form; `nil` where it is not there in time, or cannot be encoded.
    func encoded(_ playable: Playable, of uri: ItemURI, as coding: SoundCoding) async -> Playable?
}
