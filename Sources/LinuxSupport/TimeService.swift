import CLinux
import Glibc

/// What the system says about its own clock.
package enum TimeService {
  /// Whether a time service has set the clock: systemd-timesyncd's mark, or the kernel's `STA_UNSYNC` being clear (`adjtimex(2)`).
  package static var isSynchronized: Bool {
    if access("/run/systemd/timesync/synchronized", F_OK) == 0 { return true }
    var state = timex()
    let result = adjtimex(&state)
    return result != -1 && result != TIME_ERROR && state.status & STA_UNSYNC == 0
  }
}
