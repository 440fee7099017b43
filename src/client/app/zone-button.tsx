import { useState } from "react";
import { chooseZone, DEVICE, deviceZone, useTimes, useZoneChoice } from "../lib/time-zone.ts";

/** Returns the city of a zone name, for instance New York for `America/New_York`. */
const cityOf = (zone: string) => (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");

/** Shows and changes the time zone of all times on the page. */
export function ZoneButton() {
  const choice = useZoneChoice();
  const { zone } = useTimes();
  // Filled when the list is about to open, because it has some 400 entries
  const [all, setAll] = useState<readonly string[]>([]);
  const fill = () => setAll(Intl.supportedValuesOf("timeZone").filter((name) => name !== "UTC"));
  const listed = choice === DEVICE || choice === "UTC" || all.includes(choice);
  return (
    <span className="tint relative flex h-8 max-w-24 items-center rounded-md px-2 text-xs text-muted focus-within:outline-2 focus-within:outline-accent hover:bg-hover hover:text-ink">
      <span aria-hidden className="truncate">
        {cityOf(zone)}
      </span>
      <select
        aria-label="Time zone of all times"
        title={`Times in ${zone}`}
        value={choice}
        onFocus={fill}
        onPointerEnter={fill}
        onChange={(event) => chooseZone(event.target.value)}
        className="absolute inset-0 cursor-pointer bg-surface text-ink opacity-0"
      >
        <option value={DEVICE}>This device ({deviceZone()})</option>
        <option value="UTC">UTC</option>
        {!listed && <option>{choice}</option>}
        {all.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </span>
  );
}
