import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { storedTimeZone } from "./storage.ts";
import { type Times, timesIn } from "./times.ts";

/** Value of the setting that follows the device's time zone. */
export const DEVICE = "device";

/** Returns the device's time zone; all names of universal time map to `UTC`. */
export function deviceZone(): string {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return /^(Etc\/)?(UTC|UCT|GMT|Universal|Zulu)$/.test(zone) ? "UTC" : zone;
}

interface ZoneState {
  readonly choice: string;
  readonly times: Times;
}

/** Returns the state of a stored choice; a zone unknown to this browser falls back to the device's. */
function stateOf(choice: string): ZoneState {
  try {
    return { choice, times: timesIn(choice === DEVICE ? deviceZone() : choice) };
  } catch {
    return { choice: DEVICE, times: timesIn(deviceZone()) };
  }
}

const zone = createStore<ZoneState>(() => stateOf(storedTimeZone.read() ?? DEVICE));

/** Returns the time formatters for the chosen zone; every displayed time uses them. */
export const useTimes = (): Times => useStore(zone, ({ times }) => times);

export const useZoneChoice = (): string => useStore(zone, ({ choice }) => choice);

export function chooseZone(choice: string): void {
  if (choice === DEVICE) storedTimeZone.remove();
  else storedTimeZone.write(choice);
  zone.setState(stateOf(choice));
}
