import BatonReading
import Glibc
import MediaFormat
import ProcessLimits

/// `baton-transcoder`: decodes untrusted files and encodes their sound for the hub. batond starts one for each stream
/// and item, with a socket as standard input and output. It answers requests, and exits after half a minute without
/// one or when the hub has ended.

// Arguments are read before confinement, because the system stores them in a file.
let words = CommandLine.arguments.dropFirst()
Confinement.lower()
MediaFile.beQuiet()
Confinement.close()
if words.first == "--attempt" {
    for line in Attempt.all(in: words.last ?? "/") { print(line) }
} else {
    Conversation().run()
}
