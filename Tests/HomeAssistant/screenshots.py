#!/usr/bin/env python3
"""Makes the pictures of docs/home-assistant.md from a real Home Assistant with a node. As root: screenshots.py PROGRAM DIRECTORY

Needs Debian's chromium, and the Python packages playwright and pillow.
"""
import json
import pathlib
import sys

from hass import request
from PIL import Image
from playwright.sync_api import sync_playwright
from support import World


def prepare(world):
    """A node that is in use: a repeating alarm, a timer, something in the logbook, and an automation that was built by clicking."""
    world.ask("schedule", id="wake-up", title="Wake up", schedule={"time": "07:00", "weekdays": "mon-fri"},
              countdown={"preAlert": 900, "postAlert": 540})
    world.until_state("time.reveille_bedroom_wake_up_time", "07:00:00")
    world.ask("schedule", id="tea", title="Tea", duration=1)
    world.until_state("binary_sensor.reveille_bedroom_alerting", "on")
    world.ask("stop")
    world.until_state("sensor.reveille_bedroom_state", "scheduled")
    device = next(device["id"] for device in world.hass.command("config/device_registry/list")
                  if ["mqtt", "reveille_bedroom"] in device["identifiers"])
    request(world.port, "/api/config/automation/config/light_at_alarm", {
        "alias": "Light when the alarm rings", "conditions": [],
        "triggers": [{"trigger": "device", "domain": "mqtt", "device_id": device, "type": "alerting", "subtype": "alarm"}],
        "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.bedroom"}}]}, world.hass.token)
    world.until_state("automation.light_when_the_alarm_rings", "on")
    return device


def pictures(world, device, directory):
    address = f"http://127.0.0.1:{world.port}"
    tokens = {"access_token": world.hass.token, "token_type": "Bearer", "expires_in": 1_000_000, "hassUrl": address,
              "clientId": f"{address}/", "expires": 9_999_999_999_999, "refresh_token": ""}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1240, "height": 1000}, locale="en-GB", timezone_id="Europe/Berlin")
        context.add_init_script(f"localStorage.setItem('hassTokens', {json.dumps(json.dumps(tokens))});"
                                "localStorage.setItem('dockedSidebar', JSON.stringify('always_hidden'))")
        page = context.new_page()
        for name, path, text in (
            ("device", f"/config/devices/device/{device}", "Clock synced"), ("dashboard", "/reveille-alarms/alarms", "Snooze length"),
            ("automation", "/config/automation/edit/light_at_alarm", "Then do"),
        ):
            page.goto(f"{address}{path}")
            page.get_by_text(text).first.wait_for(timeout=60_000)
            # Icons and what slides in have no event.
            page.wait_for_timeout(4000)
            picture = directory / f"home-assistant-{name}.png"
            page.screenshot(path=picture)
            Image.open(picture).convert("RGB").quantize(128).save(picture, optimize=True)
        browser.close()


def main():
    world = World(sys.argv[1])
    try:
        for name in ("broker", "node", "home_assistant"):
            world.start(name)
        pictures(world, prepare(world), pathlib.Path(sys.argv[2]))
    finally:
        world.close()


if __name__ == "__main__":
    main()
