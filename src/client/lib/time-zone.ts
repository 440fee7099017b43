import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { storedTimeZone } from "./storage.ts";
import { type Times, timesIn } from "./times.ts";

/** Chosen when times follow the device, wherever it is. */
export const DEVICE = "device";

/** Returns the device's zone; the names of universal time all read `UTC`. */
export function deviceZone(): string {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return /^(Etc\/)?(UTC|UCT|GMT|Universal|Zulu)$/.test(zone) ? "UTC" : zone;
}

interface ZoneState {
  readonly choice: string;
  readonly times: Times;
}

/** A stored zone that this browser does not know reads as the device's. */
function stateOf(choice: string): ZoneState {
  try {
    return { choice, times: timesIn(choice === DEVICE ? deviceZone() : choice) };
  } catch {
    return { choice: DEVICE, times: timesIn(deviceZone()) };
  }
}

const zone = createStore<ZoneState>(() => stateOf(storedTimeZone.read() ?? DEVICE));

/** Forms of times in the zone chosen in the page; whatever shows a time uses these. */
export const useTimes = (): Times => useStore(zone, ({ times }) => times);

export const useZoneChoice = (): string => useStore(zone, ({ choice }) => choice);

export function chooseZone(choice: string): void {
  if (choice === DEVICE) storedTimeZone.remove();
  else storedTimeZone.write(choice);
  zone.setState(stateOf(choice));
}
