import * as z from "zod/mini";
import { createStore } from "zustand/vanilla";
import { storedValue } from "./stored.ts";

const stored = storedValue("favourite-assets", 1, z.array(z.string()));

/** Assets that the user marked in this browser, in the order they were marked. */
export const favourites = createStore<readonly string[]>(() => stored.read() ?? []);

export function toggleFavourite(asset: string): void {
  const before = favourites.getState();
  const after = before.includes(asset)
    ? before.filter((each) => each !== asset)
    : [...before, asset];
  stored.write([...after]);
  favourites.setState(after, true);
}
