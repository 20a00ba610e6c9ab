import Testing

/// The shipped programs as a person meets them: started, typed at, killed, and listened to.
///
/// One at a time, since each test starts programs of its own and many at once would measure only
/// each other.
@Suite(.serialized, .timeLimit(.minutes(3))) enum EndToEnd {}
