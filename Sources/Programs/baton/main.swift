import Glibc

// The satellite: finds hubs, mirrors their state and steers them. Everything is in Satellite; this
// file only lends it the main thread.
exit(Satellite.main(CommandLine.arguments))
