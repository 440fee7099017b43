import { type QuietHours, setQuietHours } from "../../../contract/notices.ts";
import { useState } from "react";
import { deviceZone } from "../../lib/time-zone.ts";
import { useChange } from "../../queries/read.ts";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Switch } from "../../ui/switch.tsx";

const NIGHT = { fromMinute: 22 * 60, toMinute: 7 * 60 };

const toText = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");

/** Returns minutes after midnight; null while the browser's field is incomplete. */
function toMinute(text: string): number | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(text) ?? [];
  return hours === undefined || minutes === undefined
    ? null
    : Number.parseInt(hours, 10) * 60 + Number.parseInt(minutes, 10);
}

/** Form of the hours in which only urgent notices are sent. */
export function QuietHoursForm({ quietHours }: { readonly quietHours: QuietHours | null }) {
  const [shown, setShown] = useState(quietHours);
  const save = useChange(setQuietHours, { toast: "failures" });
  const set = (next: QuietHours | null) => {
    setShown(next);
    save.mutate(
      { body: next === null ? {} : { quietHours: next } },
      { onError: () => setShown(quietHours) },
    );
  };
  const setTime = (name: "fromMinute" | "toMinute", text: string) => {
    const minute = toMinute(text);
    if (shown !== null && minute !== null) set({ ...shown, [name]: minute });
  };
  return (
    <section aria-label="Quiet hours" className="flex flex-col gap-2 border-t pt-4">
      <div className="flex items-center justify-between gap-4">
        <h3 className="text-sm font-semibold">Quiet hours</h3>
        <Switch
          label="Quiet hours"
          hideLabel
          checked={shown !== null}
          onCheckedChange={(isOn) => set(isOn ? { ...NIGHT, zone: deviceZone() } : null)}
        />
      </div>
      <p className="text-xs text-muted">
        Notices wait for their end. Changes from outside, differences of the book, unknown orders
        and new browsers are told at once.
      </p>
      {shown !== null && (
        <div className="grid grid-cols-2 gap-3">
          {(["fromMinute", "toMinute"] as const).map((name) => (
            <Field
              key={name}
              label={name === "fromMinute" ? "From" : "Until"}
              aside={name === "toMinute" ? shown.zone : undefined}
            >
              <Input
                type="time"
                required
                value={toText(shown[name])}
                onChange={(event) => setTime(name, event.target.value)}
              />
            </Field>
          ))}
        </div>
      )}
    </section>
  );
}
