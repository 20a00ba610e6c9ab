import BatonReading
import Glibc
import MediaFormat
import ProcessLimits

/// `baton-reader`: parses untrusted files for the hub. batond starts it with a socket as standard input and output.
/// It answers requests, and exits after half a minute without one or when the hub has ended. If a file crashes it,
/// nothing else is affected.

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
