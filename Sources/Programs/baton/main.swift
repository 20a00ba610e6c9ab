import Glibc

// The satellite: finds hubs, mirrors their state and sends commands. Everything is in `Satellite`; this file only runs it
// on the main thread.
exit(Satellite.main(CommandLine.arguments))
