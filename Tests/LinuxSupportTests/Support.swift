import Glibc

/// Whether a descriptor is readable, now or within `milliseconds`.
func isReadable(_ descriptor: Int32, within milliseconds: Int32 = 0) -> Bool {
  var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&request, 1, milliseconds) == 1 && request.revents & Int16(POLLIN) != 0
}

/// Long enough for any machine; only a broken program waits that long.
let patience: Int32 = 20_000
