"""Prints the keys that Home Assistant's own schemas know for MQTT discovery, as JSON: the resource of HomeAssistantTests.

Runs in Home Assistant's Python: chroot "$(Tests/HomeAssistant/setup)" /opt/ha/bin/python - <Tests/HomeAssistant/keys.py
"""
import importlib
import json

from homeassistant.components.mqtt import abbreviations, device_trigger, schemas
from homeassistant.const import __version__

PLATFORMS = ("binary_sensor", "button", "event", "number", "select", "sensor", "siren", "switch", "text", "time")


def keys(schema):
    """The keys of a schema, which may be wrapped in others."""
    if isinstance(schema, dict):
        return {str(getattr(marker, "schema", marker)) for marker in schema}
    if hasattr(schema, "validators"):
        return set().union(*(keys(validator) for validator in schema.validators))
    inner = getattr(schema, "schema", None)
    return keys(inner) if inner is not None and inner is not schema else set()


platforms = {
    name: keys(importlib.import_module(f"homeassistant.components.mqtt.{name}").DISCOVERY_SCHEMA) for name in PLATFORMS
}
platforms["device_automation"] = keys(device_trigger.TRIGGER_DISCOVERY_SCHEMA)
print(json.dumps({
    "homeAssistant": __version__,
    "abbreviations": {
        "component": abbreviations.ABBREVIATIONS, "device": abbreviations.DEVICE_ABBREVIATIONS, "origin": abbreviations.ORIGIN_ABBREVIATIONS,
    },
    "document": sorted(keys(schemas.DEVICE_DISCOVERY_SCHEMA)),
    "device": sorted(keys(schemas.MQTT_DEVICE_INFO_SCHEMA)),
    "origin": sorted(keys(schemas.MQTT_ORIGIN_INFO_SCHEMA)),
    "platforms": {name: sorted(found) for name, found in sorted(platforms.items())},
}, indent=1, sort_keys=True))
