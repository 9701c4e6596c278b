#!/usr/bin/env python3
"""Checks the node against a real Home Assistant. As root: check.py PROGRAM [--old] [--only WORD]

--old: against one of 2024, which has not all of the platforms.
"""
import argparse
import datetime
import itertools
import json
import re
import signal
import sqlite3
import sys
import time
from zoneinfo import ZoneInfo

from hass import request
from support import World

BERLIN_NOON = {"time": "12:00", "weekdays": "daily"}
# What the tests' Home Assistant lacks, and what it says when its broker goes.
IRRELEVANT = ("Skipping pip", "aiohttp_fast_zlib", "haffmpeg", "ffmpeg", "components.met]", "metno", "radio", "gtts", "google_translate",
              "Error doing job: Task exception was never retrieved (task: None)")
BROKER_GONE = ("Disconnected from MQTT server", "Error returned from MQTT server", "Failed to connect to MQTT server",
               "Unable to connect to the MQTT broker", "failed to receive on socket", "Error talking to MQTT: The client is not currently connected", "raise HomeAssistantError(")

# Entity: (category, device class, unit), as the registry and the states have them.
NODE_ENTITIES = {
    "sensor.reveille_bedroom_state": (None, "enum", None),
    "sensor.reveille_bedroom_next_alarm": (None, "timestamp", None),
    "sensor.reveille_bedroom_next_alarm_title": (None, None, None),
    "sensor.reveille_bedroom_alarms": (None, None, None),
    "binary_sensor.reveille_bedroom_alerting": (None, None, None),
    "binary_sensor.reveille_bedroom_ready": ("diagnostic", None, None),
    "binary_sensor.reveille_bedroom_problem": ("diagnostic", "problem", None),
    "binary_sensor.reveille_bedroom_clock_synced": ("diagnostic", None, None),
    "event.reveille_bedroom_event": (None, None, None),
    "button.reveille_bedroom_stop": (None, None, None),
    "button.reveille_bedroom_snooze": (None, None, None),
    "button.reveille_bedroom_pause": (None, None, None),
    "button.reveille_bedroom_resume": (None, None, None),
    "button.reveille_bedroom_test": ("diagnostic", None, None),
    "switch.reveille_bedroom_muted": ("config", None, None),
    "switch.reveille_bedroom_silent": ("config", None, None),
    "select.reveille_bedroom_sound": ("config", None, None),
    "select.reveille_bedroom_focus": ("config", None, None),
    "number.reveille_bedroom_volume": ("config", None, "%"),
    "number.reveille_bedroom_snooze_length": ("config", None, "min"),
    "number.reveille_bedroom_quick_timer": (None, None, "min"),
    "text.reveille_bedroom_quick_alarm": (None, None, None),
    "siren.reveille_bedroom_siren": (None, None, None),
}
ALARM_ENTITIES = {
    "switch.reveille_bedroom_wake_up_enabled": ("config", None, None),
    "switch.reveille_bedroom_wake_up_skip_next": ("config", None, None),
    "sensor.reveille_bedroom_wake_up_next": (None, "timestamp", None),
    "time.reveille_bedroom_wake_up_time": ("config", None, None),
}
DISABLED_ENTITIES = {"sensor.reveille_bedroom_wake_up_remaining": (None, "duration", "s"),
                     "text.reveille_bedroom_wake_up_time": ("config", None, None)}
EVENT = "event.reveille_bedroom_event"


def wake_up(world, **members):
    document = {"id": "wake-up", "title": "Wake up", "schedule": BERLIN_NOON, "countdown": {"preAlert": 30, "postAlert": 20}, **members}
    return world.ask("schedule", **document)


def local_time(seconds):
    """The time of day in Berlin, so many seconds ahead."""
    when = datetime.datetime.now(ZoneInfo("Europe/Berlin")) + datetime.timedelta(seconds=seconds)
    return when.strftime("%H:%M:%S")


def events(world, kind, mark):
    return [json.loads(payload) for topic, payload in world.messages[mark:]
            if topic == "reveille/bedroom/event" and f'"{kind}"' in payload and json.loads(payload)["event_type"] == kind]


def until_event(world, kind, mark, patience=None):
    world.until(f"the event {kind}", lambda: events(world, kind, mark), patience)
    return events(world, kind, mark)[0]


# MARK: Entities

def entities_appear(world):
    """All entities appear with their ids, units, classes and categories"""
    wake_up(world)
    world.until("the entities", lambda: all(entity in world.hass.states for entity in {**NODE_ENTITIES, **ALARM_ENTITIES}))
    registry = {entry["entity_id"]: entry for entry in world.hass.command("config/entity_registry/list") if entry["platform"] == "mqtt"}
    expected = {**NODE_ENTITIES, **ALARM_ENTITIES, **DISABLED_ENTITIES}
    assert set(registry) == set(expected), set(registry) ^ set(expected)
    devices = world.hass.command("config/device_registry/list")
    device = next(device for device in devices if ["mqtt", "reveille_bedroom"] in device["identifiers"])
    assert device["name"] == "Reveille bedroom" and device["manufacturer"] == "Reveille", device
    for entity, (category, device_class, unit) in expected.items():
        entry = registry[entity]
        assert entry["entity_category"] == category, (entity, entry["entity_category"])
        assert entry["device_id"] == device["id"], entity
        if entity in DISABLED_ENTITIES:
            assert entry["disabled_by"] == "integration", entity
            continue
        attributes = world.hass.attributes(entity)
        assert attributes.get("device_class") == device_class, (entity, attributes)
        assert attributes.get("unit_of_measurement") == unit, (entity, attributes)
    assert world.hass.attributes(EVENT)["event_types"], world.hass.attributes(EVENT)
    return f"{len(expected)} entities"


def values_are_true(world):
    """Every entity shows what the node has published"""
    def expected():
        state, health = world.node("state"), world.node("health")
        values = {
            "sensor.reveille_bedroom_state": state["state"], "sensor.reveille_bedroom_alarms": str(state["alarms"]),
            "sensor.reveille_bedroom_next_alarm": utc(state["next"] and state["next"]["at"]),
            "sensor.reveille_bedroom_next_alarm_title": (state["next"]["title"] or state["next"]["id"]) if state["next"] else "unknown",
            "binary_sensor.reveille_bedroom_alerting": on(state["alerting"]),
            "siren.reveille_bedroom_siren": on("siren" in state["alerting"]),
            "binary_sensor.reveille_bedroom_ready": on(health["ready"]), "binary_sensor.reveille_bedroom_problem": on(health["problems"]),
            "binary_sensor.reveille_bedroom_clock_synced": on(health["clock"]["trust"] == "synced"),
            "switch.reveille_bedroom_muted": world.node("setting/muted").lower(),
            "switch.reveille_bedroom_silent": world.node("setting/silent").lower(),
            "select.reveille_bedroom_sound": world.node("setting/sound"), "select.reveille_bedroom_focus": world.node("setting/focus"),
            "number.reveille_bedroom_volume": float(world.node("setting/volume")),
            "number.reveille_bedroom_snooze_length": float(world.node("setting/snooze")) / 60,
        }
        timer = world.node("alarms/quick-timer/state")
        values["number.reveille_bedroom_quick_timer"] = timer["total"] / 60 if timer and timer["total"] else "unknown"
        alarm = world.node("alarms/wake-up/state")
        if alarm:
            values["switch.reveille_bedroom_wake_up_enabled"] = on(alarm["enabled"])
            values["switch.reveille_bedroom_wake_up_skip_next"] = on(alarm["skipped"])
            values["sensor.reveille_bedroom_wake_up_next"] = utc(alarm["nextAlert"])
            values["time.reveille_bedroom_wake_up_time"] = (alarm["schedule"]["time"] + ":00")[:8]
        return values

    def differences():
        found = {}
        for entity, value in expected().items():
            state = world.hass.state(entity)
            same = state == value if isinstance(value, str) else state not in (None, "unknown", "unavailable") and float(state) == value
            if not same:
                found[entity] = (state, value)
        return found

    try:
        world.until("true values", lambda: not differences())
    except AssertionError:
        raise AssertionError(f"(Home Assistant's, the node's): {differences() or 'a document is missing'}") from None
    return f"{len(expected())} values"


def on(truth):
    return "on" if truth else "off"


def utc(instant):
    if not instant:
        return "unknown"
    return datetime.datetime.fromisoformat(instant).astimezone(datetime.timezone.utc).replace(microsecond=0).isoformat()


# MARK: From Home Assistant to the node

def settings_are_set(world):
    """Switches, selects and numbers change the node's settings"""
    def becomes(setting, value):
        world.until(f"{setting} = {value}", lambda: world.node(f"setting/{setting}") == value)

    for setting in ("muted", "silent"):
        world.hass.call("switch.turn_on", f"switch.reveille_bedroom_{setting}")
        becomes(setting, "ON")
        world.until_state(f"switch.reveille_bedroom_{setting}", "on")
        world.hass.call("switch.turn_off", f"switch.reveille_bedroom_{setting}")
        becomes(setting, "OFF")
    world.hass.call("select.select_option", "select.reveille_bedroom_sound", option="radar")
    becomes("sound", "radar")
    world.hass.call("select.select_option", "select.reveille_bedroom_focus", option="do-not-disturb")
    becomes("focus", "do-not-disturb")
    world.hass.call("number.set_value", "number.reveille_bedroom_volume", value=35)
    becomes("volume", "35")
    world.hass.call("number.set_value", "number.reveille_bedroom_snooze_length", value=7.5)
    becomes("snooze", "450")
    values_are_true(world)
    for name, value in (("sound", "default"), ("focus", "off")):
        world.hass.call("select.select_option", f"select.reveille_bedroom_{name}", option=value)
        becomes(name, value)


def quick_ones_are_set(world):
    """The quick timer and the quick alarm set what was entered"""
    world.hass.call("number.set_value", "number.reveille_bedroom_quick_timer", value=12.5)
    world.until("the timer", lambda: world.node("alarms/quick-timer/state")["total"] == 750)
    world.until_state("number.reveille_bedroom_quick_timer", "12.5")
    world.until_state("sensor.reveille_bedroom_state", "countdown")
    world.hass.call("button.press", "button.reveille_bedroom_pause")
    world.until("the pause", lambda: world.node("alarms/quick-timer/state")["state"] == "paused")
    world.until_state("sensor.reveille_bedroom_state", "paused")
    world.hass.call("button.press", "button.reveille_bedroom_resume")
    world.until("the end of the pause", lambda: world.node("alarms/quick-timer/state")["state"] == "countdown")
    world.hass.call("number.set_value", "number.reveille_bedroom_quick_timer", value=0)
    world.until("no timer", lambda: world.node("alarms/quick-timer/state") is None)
    world.until_state("number.reveille_bedroom_quick_timer", "unknown")
    for text, matches in (
        ("07:00 \"early\"", lambda alarm: alarm["schedule"].get("time") == "07:00" and alarm["title"] == '"early"'),
        ("07:00 mon-fri Work", lambda alarm: alarm["schedule"].get("weekdays") == ["mon", "tue", "wed", "thu", "fri"]),
        ("in 10m", lambda alarm: alarm["total"] == 600),
        ("tomorrow 6:30", lambda alarm: "T06:30" in alarm["nextAlert"]),
    ):
        mark = len(world.messages)
        world.hass.call("text.set_value", "text.reveille_bedroom_quick_alarm", value=text)
        scheduled = until_event(world, "scheduled", mark)
        world.until(text, lambda: matches(world.node(f"alarms/{scheduled['id']}/state")))
        world.ask("cancel", id=scheduled["id"])
    world.hass.call("text.set_value", "text.reveille_bedroom_quick_alarm", value="some day")
    world.until("the refusal", lambda: "07:00" in world.hass.attributes("text.reveille_bedroom_quick_alarm")["answer"])


def alarms_are_edited(world):
    """The alarm's switches and its time change the alarm"""
    alarm = lambda: world.node("alarms/wake-up/state")
    world.hass.call("switch.turn_off", "switch.reveille_bedroom_wake_up_enabled")
    world.until("disabled", lambda: alarm()["enabled"] is False)
    world.until_state("switch.reveille_bedroom_wake_up_enabled", "off")
    world.until_state("sensor.reveille_bedroom_wake_up_next", "unknown")
    world.hass.call("switch.turn_on", "switch.reveille_bedroom_wake_up_enabled")
    world.until("enabled", lambda: alarm()["enabled"] is True)
    world.hass.call("switch.turn_on", "switch.reveille_bedroom_wake_up_skip_next")
    world.until("skipped", lambda: alarm()["skipped"])
    world.until_state("switch.reveille_bedroom_wake_up_skip_next", "on")
    world.hass.call("switch.turn_off", "switch.reveille_bedroom_wake_up_skip_next")
    world.until("not skipped", lambda: not alarm()["skipped"])
    world.hass.call("time.set_value", "time.reveille_bedroom_wake_up_time", time="06:45:00")
    world.until("06:45", lambda: alarm()["schedule"]["time"].startswith("06:45") and "T06:45" in alarm()["nextAlert"])
    world.until_state("time.reveille_bedroom_wake_up_time", "06:45:00")
    assert alarm()["schedule"]["weekdays"] and alarm()["countdown"]["preAlert"] == 30, alarm()
    values_are_true(world)


def ring_is_answered(world):
    """The buttons snooze and stop what rings, and test sounds"""
    mark = len(world.messages)
    world.ask("schedule", id="egg", title="Egg", duration=1)
    until_event(world, "alerting", mark)
    world.until_state("binary_sensor.reveille_bedroom_alerting", "on")
    assert world.hass.attributes("binary_sensor.reveille_bedroom_alerting")["alarms"] == ["egg"]
    world.until_state("sensor.reveille_bedroom_state", "alerting")
    world.hass.call("button.press", "button.reveille_bedroom_snooze")
    until_event(world, "snoozed", mark)
    world.until_state("binary_sensor.reveille_bedroom_alerting", "off")
    until_event(world, "alerting", len(world.messages))
    world.hass.call("button.press", "button.reveille_bedroom_stop")
    stopped = until_event(world, "stopped", mark)
    assert stopped["by"] == "request", stopped
    world.until("the event entity", lambda: world.hass.attributes(EVENT)["event_type"] == "stopped"
                and world.hass.attributes(EVENT)["sequence"] == stopped["sequence"])
    mark = len(world.messages)
    world.hass.call("button.press", "button.reveille_bedroom_test")
    world.until_heard("response/test", lambda payload: '"ok"' in payload, mark)


def siren_sounds(world):
    """The siren sounds with its tone and volume until it is switched off"""
    mark = len(world.messages)
    world.hass.call("siren.turn_on", "siren.reveille_bedroom_siren", tone="radar", volume_level=0.2)
    until_event(world, "alerting", mark)
    world.until_state("siren.reveille_bedroom_siren", "on")
    alarm = world.node("alarms/siren/state")
    assert alarm["sound"] == "radar" and alarm["volume"] == 20, alarm
    world.hass.call("siren.turn_off", "siren.reveille_bedroom_siren")
    world.until_state("siren.reveille_bedroom_siren", "off")
    world.until("silence", lambda: world.node("alarms/siren/state") is None)
    mark = len(world.messages)
    world.hass.call("siren.turn_on", "siren.reveille_bedroom_siren", duration=1)
    until_event(world, "alerting", mark)
    world.until_state("siren.reveille_bedroom_siren", "on")
    world.until_state("siren.reveille_bedroom_siren", "off")


# MARK: From the node to Home Assistant

def changes_are_shown(world):
    """What other programs change is shown, values that Home Assistant does not offer included"""
    for setting, value in (("muted", "ON"), ("silent", "ON"), ("sound", "chime"), ("focus", "deep-thought"), ("volume", "12"), ("snooze", "300")):
        world.publish(f"set/{setting}", value)
    world.until_state("binary_sensor.reveille_bedroom_ready", "off")
    world.until_state("binary_sensor.reveille_bedroom_problem", "on")
    world.until_state("switch.reveille_bedroom_silent", "on")
    world.until_state("number.reveille_bedroom_volume", "12")
    world.until("five minutes", lambda: float(world.hass.state("number.reveille_bedroom_snooze_length")) == 5)
    # The focus becomes an option with the next announcement.
    values_are_true(world)
    assert "deep-thought" in world.hass.attributes("select.reveille_bedroom_focus")["options"]
    world.publish("set/snooze", "7 days")
    world.publish("set/snooze", "604800")
    world.until_state("number.reveille_bedroom_snooze_length", "unknown")
    for setting, value in (("muted", "OFF"), ("silent", "OFF"), ("sound", "default"), ("focus", "off"), ("volume", "40"), ("snooze", "540")):
        world.publish(f"set/{setting}", value)
    world.publish("alarms/wake-up/set", "skip")
    world.until_state("switch.reveille_bedroom_wake_up_skip_next", "on")
    world.publish("alarms/wake-up/set", "unskip")
    world.publish("alarms/wake-up/set", "disable")
    world.until_state("switch.reveille_bedroom_wake_up_enabled", "off")
    world.publish("alarms/wake-up/set", "enable")
    world.ask("update", id="wake-up", schedule={"time": "05:30:15"})
    world.until_state("time.reveille_bedroom_wake_up_time", "05:30:15")
    values_are_true(world)


def alarms_come_and_go(world):
    """Renaming, replacing and removing alarms leaves neither entities nor retained topics"""
    def entities(alarm):
        return {entry["entity_id"] for entry in world.hass.command("config/entity_registry/list") if f"bedroom_{alarm}_" in entry["entity_id"]}

    def topics(alarm):
        return [topic for topic in world.retained if alarm in topic]

    def until_gone(alarm):
        world.until(f"no topic of {alarm}", lambda: not topics(alarm))
        world.until(f"no state of {alarm}", lambda: not [entity for entity in world.hass.states if f"bedroom_{alarm}_" in entity])
        deadline = time.monotonic() + 30
        # Disabled entities have no state that would tell of their end.
        while entities(alarm) and time.monotonic() < deadline:
            time.sleep(0.5)
        assert not entities(alarm), entities(alarm)

    wake_up(world, title="Get up")
    world.until("the new name", lambda: world.hass.attributes("switch.reveille_bedroom_wake_up_enabled")["friendly_name"] == "Reveille bedroom Get up")
    wake_up(world)
    world.ask("schedule", id="Bus_1", title="Reveille bedroom", schedule={"time": "08:00", "weekdays": "sat,sun"})
    world.until_state("time.reveille_bedroom_bus_1_time", "08:00:00")
    world.until_state("switch.reveille_bedroom_bus_1_enabled", "on")
    world.ask("update", id="Bus_1", schedule={"at": "2030-01-01T08:00:00"})
    world.until("no entities", lambda: "time.reveille_bedroom_bus_1_time" not in world.hass.states)
    # Once only: it has no entities any more.
    world.ask("schedule", id="Bus_1", title="Bus", schedule={"time": "08:00"})
    world.until("no documents", lambda: not [topic for topic in topics("Bus_1") if topic.startswith("homeassistant/")])
    world.ask("schedule", id="Bus_1", title="Bus", schedule={"time": "08:00", "weekdays": "sun"})
    world.until_state("time.reveille_bedroom_bus_1_time", "08:00:00")
    # Renamed: another id, and the old one cancelled.
    world.ask("schedule", id="tram", title="Tram", schedule={"time": "08:00", "weekdays": "sun"})
    world.ask("cancel", id="Bus_1")
    world.until_state("time.reveille_bedroom_tram_time", "08:00:00")
    until_gone("bus_1")
    assert not topics("Bus_1")
    world.ask("cancel", id="tram")
    until_gone("tram")
    assert entities("wake_up") == set(ALARM_ENTITIES) | set(DISABLED_ENTITIES), entities("wake_up")


def triggers_work(world):
    """Device triggers are offered and start an automation that was built by clicking"""
    device = next(device["id"] for device in world.hass.command("config/device_registry/list")
                  if ["mqtt", "reveille_bedroom"] in device["identifiers"])
    offered = offered_triggers(world, device)
    assert {"alerting", "stopped", "missed", "snoozed"} <= offered, offered
    run_by_device_trigger(world, device, "alerting", "alarm", lambda: world.ask("schedule", id="egg", duration=1))
    world.ask("cancel", id="egg")
    return f"{len(offered)} kinds"


def run_by_device_trigger(world, device, kind, subtype, cause):
    alias = f"by {kind} {subtype}"
    request(world.port, f"/api/config/automation/config/{kind}_{subtype}", {
        "alias": alias, "triggers": [{"trigger": "device", "domain": "mqtt", "device_id": device, "type": kind, "subtype": subtype}],
        "conditions": [], "actions": [{"event": "reveille_test"}]}, world.hass.token)
    entity = "automation." + re.sub(r"\W", "_", alias)
    world.until_state(entity, "on")
    has_run = lambda: any(event["data"].get("entity_id") == entity for event in world.hass.events)
    # Nothing tells when Home Assistant has subscribed for the trigger.
    for _ in range(10):
        cause()
        try:
            return world.until(alias, has_run, 2)
        except AssertionError:
            continue
    raise AssertionError(f"the automation {alias} did not run")


def button_triggers_work(world):
    """Each button has its device triggers, which start automations; they go with the button"""
    world.stop("node")
    # The chip is not there; the messages of a button that is are published in its place.
    world.configure_node(buttons=[{"chip": "none", "line": 1, "press": "snooze", "hold": "stop"}])
    world.start("node")
    device = next(device["id"] for device in world.hass.command("config/device_registry/list")
                  if ["mqtt", "reveille_bedroom"] in device["identifiers"])
    world.until("the document", lambda: "button_long_press" in world.retained["homeassistant/device/reveille_bedroom/config"])
    for kind, payload in (("button_short_press", "press"), ("button_long_press", "hold")):
        run_by_device_trigger(world, device, kind, "button_1", lambda: world.publish("button/1", payload))
        request(world.port, f"/api/config/automation/config/{kind}_button_1", token=world.hass.token, method="DELETE")
    world.stop("node")
    world.configure_node()
    world.start("node")
    world.until("no button", lambda: "button_1" not in world.retained["homeassistant/device/reveille_bedroom/config"]
                or '{"p":"device_automation"}' in world.retained["homeassistant/device/reveille_bedroom/config"])
    deadline = time.monotonic() + 30
    while any(kind.startswith("button_") for kind in offered_triggers(world, device)) and time.monotonic() < deadline:
        time.sleep(0.5)
    assert offered_triggers(world, device) == {"alerting", "stopped", "missed", "snoozed"}, offered_triggers(world, device)


def offered_triggers(world, device):
    return {trigger["type"] for trigger in world.hass.command("device_automation/trigger/list", device_id=device) if trigger["domain"] == "mqtt"}


# MARK: Automations, blueprints, dashboard

def notifications(world):
    return {entry["title"]: entry["message"] for entry in world.hass.command("persistent_notification/get")}


def add_automation(world, name, blueprint, inputs):
    request(world.port, f"/api/config/automation/config/{name}", {
        "alias": name, "use_blueprint": {"path": f"reveille/{blueprint}", "input": inputs}}, world.hass.token)
    world.until_state(f"automation.{name}", "on")


def automations_run(world):
    """The automations and blueprints of deploy/home-assistant load unchanged and run"""
    world.publish("event/bedside_remote/config", {
        "unique_id": "remote", "default_entity_id": "event.bedside_remote", "name": "Bedside remote", "state_topic": "remote/action",
        "event_types": ["single", "hold"]}, base="homeassistant/", retain=True)
    world.until_state("event.bedside_remote", "unknown")
    loaded = [entity for entity in world.hass.states if entity.startswith("automation.") and world.hass.state(entity) == "on"
              and str(world.hass.attributes(entity).get("id")).startswith("reveille_")]
    assert len(loaded) == 6, loaded
    blueprints = world.hass.command("blueprint/list", domain="automation")
    ours = {path: entry for path, entry in blueprints.items() if path.startswith("reveille/")}
    assert len(ours) == 3 and not any("error" in entry for entry in ours.values()), ours
    add_automation(world, "blueprint_light", "wake-up-light.yaml", {
        "event": EVENT, "alarm": "wake-up", "light": {"entity_id": "light.hall"}, "brightness": 50})
    add_automation(world, "blueprint_event", "on-event.yaml", {
        "event": EVENT, "kind": "alerting", "actions": [{"action": "input_boolean.turn_on", "target": {"entity_id": "input_boolean.blueprint"}}]})
    add_automation(world, "blueprint_holiday", "skip-holiday.yaml", {
        "calendar": "calendar.holidays", "next": "sensor.reveille_bedroom_wake_up_next", "skip": "switch.reveille_bedroom_wake_up_skip_next"})

    mark = len(world.messages)
    wake_up(world, schedule={"time": local_time(13), "weekdays": "daily"}, countdown={"preAlert": 10, "postAlert": 5})
    world.until_state("light.bedroom", "on")
    assert world.hass.state("switch.coffee_machine") == "off"
    world.until("a bright light", lambda: world.hass.attributes("light.bedroom")["brightness"] > 120)
    until_event(world, "alerting", mark)
    world.until_state("switch.coffee_machine", "on")
    world.until_state("input_boolean.blueprint", "on")
    assert world.hass.attributes("light.hall")["brightness"] > 60, world.hass.attributes("light.hall")
    world.publish("action", '{"event_type": "single"}', base="remote/")
    until_event(world, "snoozed", mark)
    mark = len(world.messages)
    until_event(world, "alerting", mark)
    world.publish("action", '{"event_type": "hold"}', base="remote/")
    until_event(world, "stopped", mark)

    world.ask("schedule", id="nobody", title="Nobody", duration=1, ringFor=1, maximumSnoozes=0)
    until_event(world, "missed", mark)
    deadline = time.monotonic() + 20
    while "Alarm was missed" not in notifications(world) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert "Nobody" in notifications(world)["Alarm was missed"], notifications(world)
    world.ask("cancel", id="nobody")

    world.hass.call("automation.trigger", "automation.alarm_node_is_not_ready_tonight", skip_condition=False)
    assert "The alarm node is not ready" not in notifications(world)
    world.publish("set/muted", "ON")
    world.until_state("binary_sensor.reveille_bedroom_ready", "off")
    world.hass.call("automation.trigger", "automation.alarm_node_is_not_ready_tonight", skip_condition=False)
    assert "muted" in notifications(world)["The alarm node is not ready"], notifications(world)
    world.publish("set/muted", "OFF")

    wake_up(world, schedule={"time": "00:00:01", "weekdays": "daily"})
    world.until_state("time.reveille_bedroom_wake_up_time", "00:00:01")
    skip = "switch.reveille_bedroom_wake_up_skip_next"
    world.hass.call("automation.trigger", "automation.no_alarm_on_a_holiday", skip_condition=False)
    assert world.hass.state(skip) == "off"
    tomorrow = datetime.datetime.now(ZoneInfo("Europe/Berlin")).date() + datetime.timedelta(days=1)
    world.hass.call("calendar.create_event", "calendar.holidays", summary="Holiday", start_date=tomorrow.isoformat(),
                    end_date=(tomorrow + datetime.timedelta(days=1)).isoformat())
    for automation in ("no_alarm_on_a_holiday", "blueprint_holiday"):
        world.hass.call("automation.trigger", f"automation.{automation}", skip_condition=False)
        world.until_state(skip, "on")
        world.ask("unskip", id="wake-up")
        world.until_state(skip, "off")
    wake_up(world)
    return f"{len(loaded)} automations, {len(ours)} blueprints"


def dashboard_loads(world):
    """The dashboard loads and names no entity that is missing"""
    world.until_state("switch.reveille_bedroom_wake_up_enabled", "on")
    dashboard = world.hass.command("lovelace/config", url_path="reveille-alarms")
    named = set(re.findall(r"\b[a-z_]+\.reveille_bedroom_\w+", json.dumps(dashboard)))
    missing = named - set(world.hass.states)
    assert named and not missing, missing
    return f"{len(named)} entities"


# MARK: Quiet and steady

def recorder_is_spared(world):
    """A countdown of a minute writes no state every second"""
    started, mark = time.time(), len(world.messages)
    # Of its pre-alert a whole minute is left; another timer counts down as well.
    wake_up(world, schedule={"time": local_time(66), "weekdays": "daily"}, countdown={"preAlert": 63})
    world.ask("schedule", id="tea", title="Tea", duration=60)
    until_event(world, "alerting", mark, 120)
    world.until("both", lambda: len(events(world, "alerting", mark)) == 2, 60)
    ended = time.time()
    ticks = sum("/remaining" in topic for topic, _ in world.messages[mark:])
    world.ask("stop")
    wake_up(world)
    time.sleep(3)  # The recorder writes once a second.
    with sqlite3.connect(f"file:{world.directory}/config/home-assistant_v2.db?mode=ro", uri=True) as database:
        rows = database.execute(
            "SELECT states_meta.entity_id, count(*) FROM states JOIN states_meta USING (metadata_id) WHERE states_meta.entity_id LIKE '%reveille_bedroom%' "
            "AND last_updated_ts BETWEEN ? AND ? GROUP BY 1 ORDER BY 2 DESC", (started, ended)).fetchall()
    total = sum(count for _, count in rows)
    assert 0 < total <= 30 and ticks > 100, (ticks, rows)
    return f"{ticks} ticks, {total} states in {ended - started:.0f} s: {dict(rows)}"


def restarts_are_survived(world):
    """The broker, the node and Home Assistant restart in every order: true values, and no event twice"""
    names = ("broker", "node", "home_assistant")
    for number, order in enumerate(itertools.permutations(names)):
        for name in order:
            world.stop(name)
            if name == "broker":
                world.stop("listener")
        for name in order:
            world.start(name)
        world.until(f"the node after {order}", lambda: world.node("availability") == "online")
        world.publish("set/volume", str(50 + number))
        world.until_state("number.reveille_bedroom_volume", str(50 + number))
        values_are_true(world)
        # One of them alone, in turn, while the others go on, with an event just before.
        mark = len(world.messages)
        world.ask("schedule", id="egg", duration=1)
        until_event(world, "alerting", mark)
        world.until_state("sensor.reveille_bedroom_state", "alerting")
        alone = names[number % 3]
        world.stop(alone)
        if alone == "broker":
            world.stop("listener")
        world.start(alone)
        world.until("the node", lambda: world.node("availability") == "online")
        values_are_true(world)
        world.ask("stop")
        world.until_state("sensor.reveille_bedroom_state", "scheduled")
    fired = {}
    for entity, state in world.hass.history:
        if entity == EVENT and state and state["state"] not in ("unknown", "unavailable"):
            fired.setdefault(state["attributes"]["sequence"], set()).add(state["state"])
    twice = {sequence: times for sequence, times in fired.items() if len(times) > 1}
    assert not twice, twice
    return f"6 orders, {len(fired)} events, none twice"


def absence_is_shown(world):
    """While the node is away all of its entities are unavailable, also where it has ended without a word"""
    for number in (signal.SIGTERM, signal.SIGKILL):
        world.processes["node"].send_signal(number)
        world.until("unavailable entities", lambda: not [
            entity for entity in {**NODE_ENTITIES, **ALARM_ENTITIES} if world.hass.state(entity) != "unavailable"])
        world.stop("node")
        world.start("node")
        world.until_state("sensor.reveille_bedroom_state", "scheduled")
        values_are_true(world)


def discovery_can_be_switched_off(world):
    """Without discovery everything is cleared, with it everything is back"""
    world.stop("node")
    world.configure_node(discovery=False)
    world.start("node")
    # The remote of another check's is none of the node's.
    world.until("no documents", lambda: not [topic for topic in world.retained if topic.startswith("homeassistant/") and "reveille_" in topic])
    world.until("no entities", lambda: not [entity for entity in world.hass.states if "reveille_bedroom" in entity])
    world.stop("node")
    world.configure_node(alarms="none")
    world.start("node")
    world.until_state("sensor.reveille_bedroom_state", "scheduled")
    assert not [topic for topic in world.retained if topic.startswith("homeassistant/") and "wake-up" in topic]
    world.stop("node")
    world.configure_node()
    world.start("node")
    world.until_state("switch.reveille_bedroom_wake_up_enabled", "on")
    values_are_true(world)


# MARK: An old Home Assistant

def old_one_has_all_but_times(world):
    """An old Home Assistant has all entities but the time, and the text in its place works"""
    wake_up(world)
    # It makes up the entities' ids from their names.
    expected = {entity.split(".")[0] + "/" + name for entity in {**NODE_ENTITIES, **ALARM_ENTITIES, **DISABLED_ENTITIES}
                for name in [entity.split("bedroom_")[1].replace("wake_up_", "wake-up_")]} - {"time/wake-up_time"}

    def registry():
        return {entry["entity_id"].split(".")[0] + "/" + entry["unique_id"].removeprefix("reveille_bedroom."): entry["entity_id"]
                for entry in world.hass.command("config/entity_registry/list") if entry["platform"] == "mqtt"}

    world.until_state("sensor.reveille_bedroom_state", "scheduled")
    deadline = time.monotonic() + 30
    while set(registry()) != expected and time.monotonic() < deadline:
        time.sleep(0.5)
    entities = registry()
    assert set(entities) == expected, set(entities) ^ expected
    world.until_state(entities["switch/wake-up_enabled"], "on")
    world.hass.call("number.set_value", entities["number/volume"], value=35)
    world.until_state(entities["number/volume"], "35")
    world.hass.command("config/entity_registry/update", entity_id=entities["text/wake-up_time"], disabled_by=None)
    # It loads an entity that was just enabled after half a minute.
    world.until_state(entities["text/wake-up_time"], "12:00:00")
    world.hass.call("text.set_value", entities["text/wake-up_time"], value="06:45")
    world.until("06:45", lambda: world.node("alarms/wake-up/state")["schedule"]["time"] == "06:45")
    world.until_state(entities["text/wake-up_time"], "06:45:00")
    mark = len(world.messages)
    world.hass.call("text.set_value", entities["text/quick_alarm"], value="in 1s Egg")
    until_event(world, "alerting", mark)
    world.until_state(entities["binary_sensor/alerting"], "on")
    world.hass.call("button.press", entities["button/stop"])
    until_event(world, "stopped", mark)
    world.until("the event entity", lambda: world.hass.attributes(entities["event/event"])["event_type"] == "stopped")
    return f"{len(entities)} entities"


CHECKS = [
    (entities_appear, ()), (values_are_true, ()), (settings_are_set, ()), (quick_ones_are_set, ()), (alarms_are_edited, ()),
    (ring_is_answered, ()), (siren_sounds, ()), (changes_are_shown, ()), (alarms_come_and_go, ()), (triggers_work, ()), (automations_run, ()),
    (dashboard_loads, ()), (button_triggers_work, ()), (recorder_is_spared, ()), (absence_is_shown, ()), (restarts_are_survived, BROKER_GONE), (discovery_can_be_switched_off, ()),
]
# It says so of every message with a platform that it does not know.
OLD_CHECKS = [(old_one_has_all_but_times, ("Integration time is not supported", "Integration device is not supported"))]


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("program")
    options.add_argument("--old", action="store_true")
    options.add_argument("--only", default="")
    chosen = options.parse_args()
    world = World(chosen.program, chosen.old)
    failed = 0
    try:
        for name in ("broker", "node", "home_assistant"):
            world.start(name)
        world.loud_lines()
        wake_up(world)
        for check, allowed in OLD_CHECKS if chosen.old else CHECKS:
            if chosen.only not in check.__name__:
                continue
            started = time.monotonic()
            try:
                figures = check(world)
                loud = world.loud_lines(IRRELEVANT + allowed)
                assert not loud, "Home Assistant's log:\n" + "\n".join(loud)
                print(f"ok    {check.__doc__} ({time.monotonic() - started:.1f} s){f': {figures}' if figures else ''}", flush=True)
            except Exception as error:  # The others are worth to be seen as well.
                failed += 1
                print(f"FAIL  {check.__doc__} ({time.monotonic() - started:.1f} s)\n      {type(error).__name__}: {error}", flush=True)
                for line in world.loud_lines(IRRELEVANT + allowed):
                    print(f"      {line}")
        if failed:
            print((world.directory / "node.log").read_text()[-4000:])
    finally:
        world.close()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
