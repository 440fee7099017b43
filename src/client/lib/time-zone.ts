import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { storedTimeZone } from "./stored.ts";

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

/** Time formatters for one zone. Each takes ISO text or Unix milliseconds. */
export interface Times {
  /** Zone name shown beside times: `UTC`, or for instance `Europe/Berlin`. */
  readonly zone: string;
  /** Year-month-day, for instance 2026-11-21. */
  date(at: string | number): string;
  /** 24-hour time, for instance 09:05. */
  time(at: string | number): string;
  /** 24-hour time to the second, for instance 09:05:30. */
  clock(at: string | number): string;
  /** Short month form with 24-hour time, for instance Nov 21, 09:05. */
  short(at: string | number): string;
  /** Date, time to the second and zone, for instance 2026-11-21 09:05:30 Europe/Berlin. */
  full(at: string | number): string;
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Returns a short month's name, 1 is January. */
export const monthName = (month: string | number): string => MONTHS[Number(month) - 1] ?? "";

/** Returns the formatters for a zone the browser knows, daylight saving included. */
export function timesIn(zone: string): Times {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const partsOf = (at: string | number): Readonly<Record<string, string>> =>
    Object.fromEntries(
      format.formatToParts(new Date(at)).map(({ type, value }) => [type, value] as const),
    );
  const date = (at: string | number) => {
    const { year, month, day } = partsOf(at);
    return `${year}-${month}-${day}`;
  };
  const time = (at: string | number) => {
    const { hour, minute } = partsOf(at);
    return `${hour}:${minute}`;
  };
  const clock = (at: string | number) => `${time(at)}:${partsOf(at)["second"]}`;
  return {
    zone,
    date,
    time,
    clock,
    short(at) {
      const { month, day } = partsOf(at);
      return `${monthName(month ?? "")} ${Number(day)}, ${time(at)}`;
    },
    full: (at) => `${date(at)} ${clock(at)} ${zone}`,
  };
}

/** Returns an axis label: to the second for spans under two minutes, with time of day up to two days, then the date. */
export const axisTime = (seconds: number, span: number, times: Times): string =>
  (span < 120 ? times.clock : span <= 172_800 ? times.short : times.date)(seconds * 1_000);
