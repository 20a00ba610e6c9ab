// The hub's executable. `Daemon` reads the settings, builds the hub and runs it until a signal ends it; this file
// only gives it the main thread.
import Glibc

exit(Daemon.main(Array(CommandLine.arguments.dropFirst())))
