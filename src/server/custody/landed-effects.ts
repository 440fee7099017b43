import type { Chain, TransactionOutcome } from "../../solana/chain.ts";
import type { ExpectedEffect } from "../../venues/plan-step.ts";
import type { NetworkRuntime } from "../networks.ts";

/**
 * Tells this process that a landed transaction closed accounts; otherwise a single node would not be believed for 32
 * slots that they are gone.
 */
export function forgetClosedAccounts(
  runtime: NetworkRuntime | undefined,
  effects: readonly ExpectedEffect[],
): void {
  runtime?.forgetAccounts?.(
    effects.flatMap((effect) => (effect.kind === "account_gone" ? [effect.address] : [])),
  );
}

type StateEffect = Exclude<ExpectedEffect, { kind: "token_delta" }>;

/** Returns whether the landed transaction itself made the expected token movements. */
export function movedTokens(
  outcome: TransactionOutcome,
  effects: readonly ExpectedEffect[],
): boolean {
  return effects.every(
    (effect) =>
      effect.kind !== "token_delta" ||
      outcome.tokenDeltas.some(
        (moved) =>
          moved.account === effect.account &&
          moved.mint === effect.mint &&
          moved.delta === effect.delta,
      ),
  );
}

/**
 * Returns whether the chain's present state shows the effects; token movements are not part of a state and are skipped.
 */
export async function stateShows(
  chain: Chain,
  effects: readonly ExpectedEffect[],
  minContextSlot?: bigint,
): Promise<boolean> {
  const lasting = effects.filter((effect): effect is StateEffect => effect.kind !== "token_delta");
  if (lasting.length === 0) return true;
  const { accounts } = await chain.accounts(
    lasting.map((effect) => effect.address),
    minContextSlot === undefined ? {} : { minContextSlot },
  );
  return lasting.every((effect, at) => {
    const account = accounts[at] ?? null;
    switch (effect.kind) {
      case "account_exists":
        return account?.owner === effect.programId;
      case "account_gone":
        return account === null;
      case "bytes_at":
        return (
          account !== null &&
          Buffer.from(account.data)
            .subarray(effect.offset, effect.offset + effect.hex.length / 2)
            .toString("hex") === effect.hex
        );
      case "lamports_at_least":
        return (account?.lamports ?? 0n) >= effect.lamports;
    }
  });
}
