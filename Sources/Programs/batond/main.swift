// The hub's executable: reads its settings, builds the hub from its parts, and runs it until a
// signal ends it. `Daemon` does all three; this file only lends it the main thread.
import Glibc

exit(Daemon.main(Array(CommandLine.arguments.dropFirst())))
