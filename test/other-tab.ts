import { vi } from "vitest";

/** Runs `act`, with `other` run in another tab between its read of local storage and its write. */
export function betweenReadAndWrite(act: () => void, other: () => void): void {
  const real = localStorage;
  let hasActed = false;
  const setItem = (key: string, value: string): void => {
    if (!hasActed) {
      hasActed = true;
      other();
    }
    real.setItem(key, value);
  };
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => real.getItem(key),
    removeItem: (key: string) => real.removeItem(key),
    key: (at: number) => real.key(at),
    get length() {
      return real.length;
    },
    setItem,
  });
  act();
  vi.stubGlobal("localStorage", real);
}
