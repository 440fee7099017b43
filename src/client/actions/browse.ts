import { Coins, LayoutTemplate } from "lucide-react";
import { openDialog } from "../lib/dialogs.ts";
import type { Action } from "./action.ts";

/** What there is to look around in, beside the tabs, each with a line what it is for. */
export const BROWSED = [
  {
    label: "Starters",
    icon: LayoutTemplate,
    note: "Ready-made strategies, tried on your market",
    group: "View",
    perform: () => openDialog({ kind: "browse", page: "starters" }),
  },
  {
    label: "Markets",
    icon: Coins,
    note: "Prices, the last day, and what cannot be traded",
    group: "View",
    perform: () => openDialog({ kind: "browse", page: "markets" }),
  },
] as const satisfies readonly (Action & { readonly note: string })[];
