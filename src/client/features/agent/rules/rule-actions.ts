import type { Signal } from "../../../../domain/signal.ts";
import { signalText } from "../../../lib/signal-text.ts";
import type { SelectGroup } from "../../../ui/select.tsx";

/** Short labels of opening actions; their group is titled "Open". */
const OPENINGS: Partial<Readonly<Record<Signal, string>>> = {
  OPEN_LONG: "Long",
  OPEN_SHORT: "Short",
};

const GROUPS: readonly { readonly label: string; readonly actions: readonly Signal[] }[] = [
  { label: "Open", actions: ["OPEN_LONG", "OPEN_SHORT"] },
  { label: "Close", actions: ["CLOSE_LONG", "CLOSE_SHORT"] },
  {
    label: "Reset counters",
    actions: ["RESET_OPEN_LONG", "RESET_OPEN_SHORT", "RESET_CLOSE_LONG", "RESET_CLOSE_SHORT"],
  },
];

/** Returns the options of the THEN select; a spot venue has no shorts. */
export function actionGroups(isSpotOnly: boolean): readonly SelectGroup[] {
  return GROUPS.map(({ label, actions }) => ({
    label,
    options: actions.map((action) => ({
      value: action,
      label: OPENINGS[action] ?? signalText(action),
      ...(isSpotOnly && action.endsWith("SHORT") && { disabled: true, note: "Spot only" }),
    })),
  }));
}
