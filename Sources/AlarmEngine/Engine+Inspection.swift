// What simulations look at.
extension Engine {
  /// The present that the engine goes by: while the clock is not trusted its wall time is a lower bound.
  package var presentByRecord: Present { present }
}
