import { type Call, handling, type Link } from "./chain-links.ts";

/** Returns an account read whose answer must not be older than a slot. */
export function notBefore(slot: bigint, call: Call<"accounts">): Call<"accounts"> {
  const [addresses, { minContextSlot = 0n } = {}] = call.input;
  const least = minContextSlot > slot ? minContextSlot : slot;
  return { ...call, input: [addresses, least === 0n ? {} : { minContextSlot: least }] };
}

/**
 * Returns a link that reads accounts at the slot of the newest transaction whose outcome it passed on, or later.
 *
 * A node that has not reached that slot counts as unavailable. The slot is kept in this process only.
 */
export function monotonicReads(): Link {
  let reached = 0n;
  return handling({
    accounts: (call, next) => next(notBefore(reached, call)),
    async transaction(call, next) {
      const outcome = await next(call);
      if (outcome !== null && outcome.slot > reached) reached = outcome.slot;
      return outcome;
    },
  });
}
