import CivilTime
import JSON
import Testing

@Suite("How far the clock is believed")
struct ClockTrustTests {
  private static let day: Int64 = 86_400_000

  /// A weekly alarm at 07:00, and a clock that no time service vouches for.
  private func unconfirmed(at start: String = "2026-12-01T06:00:00") -> EngineDriver {
    let driver = EngineDriver(at: start)
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"ringFor":1,"onRingTimeout":"stop"}"#)
    driver.isSynchronized = false
    driver.advance(seconds: 1)
    driver.step(.wake)
    return driver
  }

  @Test("It is synced, plausible, or untrusted where it is before the last stored time")
  func trust() {
    let driver = unconfirmed()
    #expect(driver.engine.trust == .plausible)
    driver.isSynchronized = true
    driver.step(.wake)
    #expect(driver.engine.trust == .synced)
    driver.isSynchronized = false
    driver.setClock(by: -30 * Self.day)
    #expect(driver.engine.trust == .untrusted)
    #expect(driver.engine.problems.map(\.code) == ["clock_untrusted"])
  }

  @Test("An unconfirmed forward step of more than a day judges nothing for 10 minutes")
  func heldStep() {
    let driver = unconfirmed()
    driver.setClock(by: 3 * Self.day)
    driver.advance(seconds: 590)
    #expect(driver.events("a", kind: "missed").isEmpty)
    #expect(driver.soundings.isEmpty)
    driver.advance(seconds: 20)
    #expect(driver.events("a", kind: "missed").count == 1)
  }

  @Test("A forward step that turns out wrong within the 10 minutes leaves no trace but its events")
  func heldStepUndone() {
    let driver = unconfirmed()
    driver.setClock(by: 3 * Self.day)
    driver.advance(seconds: 300)
    driver.setClock(by: -3 * Self.day)
    driver.advance(to: "2026-12-02T08:00:00")
    #expect(driver.events("a", kind: "missed").isEmpty)
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T07:00"), instant("2026-12-02T07:00")])
  }

  @Test("The time that a held step shows is not stored, so that the clock is believed once it is set back")
  func heldTimeNotStored() {
    let driver = unconfirmed()
    driver.advance(seconds: 500)
    driver.setClock(by: 3 * Self.day)
    // By now the ten minutes between two stored times are over.
    driver.advance(seconds: 300)
    driver.setClock(by: -3 * Self.day)
    #expect(driver.engine.trust == .plausible)
  }

  @Test("Once the time service confirms it, a forward step is judged within seconds")
  func confirmedStep() {
    let driver = unconfirmed()
    driver.setClock(by: 3 * Self.day)
    driver.advance(seconds: 60)
    #expect(driver.events("a", kind: "missed").isEmpty)
    driver.isSynchronized = true
    driver.advance(seconds: 5)
    #expect(driver.events("a", kind: "missed").count == 1)
  }

  @Test("Timers go on while a forward step is held")
  func timersWhileHeld() {
    let driver = unconfirmed()
    driver.schedule(#"{"id":"t","duration":60}"#)
    let start = driver.now
    driver.advance(seconds: 10)
    driver.setClock(by: 3 * Self.day)
    driver.advance(seconds: 60)
    #expect(driver.alerts("t") == [start + 60_000])
    #expect(driver.ticks("t").count == 61)
  }

  @Test("A forward step of less than a day is judged at once")
  func smallStep() {
    let driver = unconfirmed()
    driver.setClock(by: Self.day / 2)
    #expect(driver.events("a", kind: "missed").count == 1)
  }

  @Test("After a boot without a clock the stored time plus the time since boot counts, so what is due by it rings")
  func lowerBound() {
    let driver = unconfirmed(at: "2026-12-01T06:40:00")
    driver.advance(seconds: 700)
    // The machine has no battery: it boots in 1970, 5 s ago, and 06:50 had been stored last.
    driver.restart(afterDowntime: 1000, reboot: true, clock: 0)
    #expect(driver.engine.trust == .untrusted)
    driver.advance(seconds: 590)
    #expect(driver.soundings.isEmpty)
    driver.advance(seconds: 30)
    #expect(driver.alerts("a").count == 1, "ten minutes after 06:50")
  }

  @Test("A synced clock replaces the lower bound, and nothing rings a second time")
  func synced() {
    let driver = unconfirmed(at: "2026-12-01T06:55:00")
    driver.advance(to: "2026-12-01T07:10:00")
    #expect(driver.alerts("a").count == 1)
    let trueTime = driver.wall
    driver.restart(afterDowntime: 60_000, reboot: true, clock: 0)
    driver.advance(seconds: 60)
    driver.isSynchronized = true
    driver.setClock(by: trueTime.milliseconds + 120_000 - driver.wall.milliseconds)
    #expect(driver.engine.trust == .synced)
    driver.advance(to: "2026-12-02T06:59:00")
    #expect(driver.alerts("a").count == 1)
    #expect(driver.events("a", kind: "missed").isEmpty)
    driver.advance(to: "2026-12-02T07:00:00")
    #expect(driver.wallAlerts("a").last == instant("2026-12-02T07:00"))
  }

  @Test("A timer over a reboot without a clock ends at its fireDate once the clock is synced")
  func rebased() {
    let driver = unconfirmed(at: "2026-12-01T12:00:00")
    driver.schedule(#"{"id":"t","duration":3600}"#)
    driver.advance(seconds: 600)
    let base = driver.wall.milliseconds
    driver.restart(afterDowntime: 600_000, reboot: true, clock: base - 86_400_000)
    #expect(driver.state("t") == "countdown")
    driver.advance(seconds: 30)
    driver.isSynchronized = true
    driver.setClock(by: base + 630_000 - driver.wall.milliseconds)
    driver.advance(to: "2026-12-01T13:00:10")
    #expect(driver.wallAlerts("t") == [instant("2026-12-01T13:00:01")])
  }
}
