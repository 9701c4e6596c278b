import CGPIOD

/// The calls of libgpiod, as the shim has them: 0 or a negative errno. Tests put failures in their place.
struct GPIOCalls: Sendable {
  var openChip: @Sendable (_ designation: String, _ chip: inout OpaquePointer?) -> Int32 = { reveille_gpio_chip_open($0, &$1) }
  var request: @Sendable (_ chip: OpaquePointer, _ offset: UInt32, _ activeLow: Bool, _ line: inout reveille_gpio_output) -> Int32 = {
    reveille_gpio_output_request($0, $1, $2, "reveille", &$3)
  }
  var set: @Sendable (_ line: inout reveille_gpio_output, _ active: Bool) -> Int32 = { reveille_gpio_output_set(&$0, $1) }
  var release: @Sendable (_ line: inout reveille_gpio_output) -> Void = { reveille_gpio_output_release(&$0) }
  var closeChip: @Sendable (_ chip: OpaquePointer) -> Void = { reveille_gpio_chip_close($0) }
}
