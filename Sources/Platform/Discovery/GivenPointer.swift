/// A pointer that Avahi passes to a callback. It is never nil, since Avahi returns the pointer it got from us.
///
/// A separate function, so that this reason is in one place.
func given<Pointer>(_ pointer: Pointer?) -> Pointer {
    guard let pointer else { preconditionFailure("Avahi called back without the pointer that it was given.") }
    return pointer
}
