import BatonClient

/// Sentences for a person about what a hub lacks.
extension MissingProfile {
    var inWords: String { Self.sentences[profile] ?? sentence }

    private static let sentences = [
        "network": "This hub pairs no devices, since it was started without an encrypted port.",
        "rooms": "This hub has one room, which cannot be changed.",
        "sound": "This hub cannot change how its music sounds.",
        "people": "This hub keeps no users, and does not say who is there.",
        "history": "This hub does not remember what has been, so nothing can be taken back.",
        "library": "This hub has no music library.",
        "playlists": "This hub keeps no playlists.",
        "radio": "This hub plays no radio stations.",
        "podcasts": "This hub has no podcasts.",
        "books": "This hub knows no audio books, and has no sleep timer.",
        "servers": "This hub connects to no other servers.",
        "copies": "This hub keeps no copies on its own disk.",
        "making": "This hub makes no music.",
        "clips": "This hub plays no clips.",
        "listening": "This hub cannot be listened to on other devices.",
        "streams": "This hub sends no streams.",
        "joining": "This hub does not play along with rooms of other servers.",
        "admin": "This hub offers no details for administrators.",
    ]
}
