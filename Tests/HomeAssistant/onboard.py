#!/usr/bin/env python3
"""Takes a new Home Assistant on 127.0.0.1:PORT through onboarding as its first user (owner, owner), connects its MQTT integration to the
broker on 127.0.0.1:MQTT_PORT, and prints a long-lived access token.

Usage: onboard.py PORT MQTT_PORT
"""
import sys

from hass import HomeAssistant, request


def onboard(port, mqtt_port, old=False):
    client = f"http://127.0.0.1:{port}/"
    user = {"client_id": client, "name": "Owner", "username": "owner", "password": "owner", "language": "en"}
    code = request(port, "/api/onboarding/users", user)["auth_code"]
    grant = {"client_id": client, "grant_type": "authorization_code", "code": code}
    token = request(port, "/auth/token", form=grant)["access_token"]
    if not old:
        # The old one then begins to set up integrations that are not installed.
        request(port, "/api/onboarding/core_config", {}, token)
    request(port, "/api/onboarding/analytics", {}, token)
    request(port, "/api/onboarding/integration", {"client_id": client, "redirect_uri": f"{client}?auth_callback=1"}, token)
    broker = {"broker": "127.0.0.1", "port": mqtt_port}
    if not old:
        broker |= {"protocol": "5", "other_settings": {"set_client_cert": False, "set_ca_cert": "off", "transport": "tcp"}}
    flow(port, token, "mqtt", broker)
    hass = HomeAssistant(port, token)
    hass.connect()
    if not old:
        # Else it goes back to port 8123 after five minutes, and asks in every window.
        hass.command("http/config/promote")
    long_lived = hass.command("auth/long_lived_access_token", client_name="tests", lifespan=30)
    hass.disconnect()
    return long_lived


def flow(port, token, integration, answers):
    """Sets up an integration as its dialogue does."""
    step = request(port, "/api/config/config_entries/flow", {"handler": integration}, token)
    made = request(port, f"/api/config/config_entries/flow/{step['flow_id']}", answers, token)
    assert made["type"] == "create_entry", made


if __name__ == "__main__":
    print(onboard(int(sys.argv[1]), int(sys.argv[2])))
