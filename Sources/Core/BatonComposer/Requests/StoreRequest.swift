import BatonJSON

/// A request to `baton-composer store`, which stores the sound of another worker as a FLAC file with tags. One JSON object.
package struct StoreRequest: Equatable, Sendable {
    /// A WAV file of the job's folder.
    package var sound: String
    package var title: String
    /// The worker.
    package var artist: String
    /// The person who asked for the piece.
    package var author: String?
    package var prompt: String
    package var seed: UInt64?
    package var seconds: Int
    package var tempo: Int?
    package var key: String?

    package init(_ bytes: [UInt8]) throws(ComposerFault) {
        guard bytes.count <= ComposerRequest.largest, let json = try? JSON.parse(bytes), json.object != nil else {
            throw ComposerFault("The request is no JSON object.")
        }
        guard let sound = json["sound"]?.string, !sound.isEmpty, !sound.contains("/"), !sound.hasPrefix(".") else {
            throw ComposerFault("\"sound\" names a file of the job's folder.")
        }
        self.sound = sound
        title = json["title"]?.string ?? ""
        artist = json["artist"]?.string ?? ""
        author = json["author"]?.string
        prompt = json["prompt"]?.string ?? ""
        seed = json["seed"]?.string.flatMap { UInt64($0) }
        seconds = json["durationS"]?.int.flatMap { Int(exactly: $0) } ?? 60
        tempo = json["tempo"]?.int.flatMap { Int(exactly: $0) }
        key = json["key"]?.string
    }
}
