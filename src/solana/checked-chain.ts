import type { Chain } from "./chain.ts";
import { mapCalls } from "./map-calls.ts";

/** Returns a chain that answers nothing before a check has passed, which every call makes until it has passed once. */
export function createCheckedChain(chain: Chain, check: () => Promise<void>): Chain {
  let checked: Promise<void> | undefined;
  const pass = (): Promise<void> =>
    (checked ??= check().catch((error: unknown) => {
      checked = undefined;
      throw error;
    }));
  return mapCalls(chain, (call) => async (...input) => {
    await pass();
    return call(...input);
  });
}
