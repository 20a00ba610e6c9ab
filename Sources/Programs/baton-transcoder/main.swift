import BatonReading
import Glibc
import MediaFormat
import ProcessLimits

/// `baton-transcoder`: decodes untrusted files and encodes their sound in place of the hub. batond starts one for each stream and for each item,
/// with a socket as standard input and output. It answers requests, and ends after half a minute without one or when the hub has ended.

// Asked for now, since the system's own record of them is a file.
let words = CommandLine.arguments.dropFirst()
Confinement.lower()
MediaFile.beQuiet()
Confinement.close()
if words.first == "--attempt" {
    for line in Attempt.all(in: words.last ?? "/") { print(line) }
} else {
    Conversation().run()
}
