import type { PracticeLedger } from "../src/practice/ledger.ts";
import { SWAP_SETTINGS, swapSettingsCodec } from "../src/practice/programs/swap/swap-pools.ts";

/** Makes the practice swap find no route, or find routes again. */
export async function setSwapPaused(ledger: PracticeLedger, isPaused: boolean): Promise<void> {
  await ledger.transact((view) => {
    const state = view.account(SWAP_SETTINGS);
    if (state === undefined) throw new Error("The practice chain has no swap");
    const data = new Uint8Array(swapSettingsCodec.encode({ isPaused }));
    return {
      value: undefined,
      change: { accounts: new Map([[SWAP_SETTINGS, { ...state, data }]]), records: [] },
    };
  });
}
