import BatonReading
import Glibc
import MediaFormat

/// `baton-reader`: reads what strangers have written, so that the hub need not. batond starts it with a
/// socket in the place of standard input and output; it answers what it is asked and leaves when nobody
/// has asked for half a minute, or when the hub is gone. A file that breaks it breaks nothing else.

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
