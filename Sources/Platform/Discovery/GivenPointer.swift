/// A pointer that Avahi gives to a callback. It never is nil, since Avahi only hands back what it was given.
///
/// A function of its own, so that this one reason stands in one place.
func given<Pointer>(_ pointer: Pointer?) -> Pointer {
    guard let pointer else { preconditionFailure("Avahi called back without the pointer that it was given.") }
    return pointer
}
