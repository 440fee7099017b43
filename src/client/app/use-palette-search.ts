import { type KeyboardEvent, useId, useState } from "react";
import { useWallet } from "../wallet/wallet.ts";
import { useController } from "./app-context.ts";
import { findEntries, type PaletteEntry } from "./find-entries.ts";
import { type PaletteDeps, paletteEntries } from "./palette-entries.ts";

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Returns the entries a text finds and the chosen one, which arrow keys move and Enter runs. */
export function usePaletteSearch(props: Pick<PaletteDeps, "workspace" | "toggleSidebar">) {
  const id = useId();
  const controller = useController();
  const wallet = useWallet((state) => state);
  const [asked, setAsked] = useState("");
  const [chosen, setChosen] = useState(0);
  const found = findEntries(paletteEntries({ ...props, controller, wallet }), asked);
  const current = found[Math.min(chosen, found.length - 1)];

  function onKey(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      const at = current ? found.indexOf(current) : 0;
      const next = (at + step + found.length) % found.length;
      setChosen(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
    }
    if (event.key === "Enter" && current && !event.nativeEvent.isComposing) {
      event.preventDefault();
      current.run();
    }
  }

  return {
    listId: `${id}-list`,
    groupId: (group: string) => `${id}-${group}`,
    optionId: (entry: PaletteEntry) => `${id}-${found.indexOf(entry)}`,
    asked,
    found,
    current,
    ask(text: string): void {
      setAsked(text);
      setChosen(0);
    },
    choose: (entry: PaletteEntry) => setChosen(found.indexOf(entry)),
    onKey,
  };
}

export type PaletteSearch = ReturnType<typeof usePaletteSearch>;
