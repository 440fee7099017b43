import type { Address, Signature } from "@solana/kit";
import { type Chain, type TransactionOutcome, readOutcome } from "../../solana/chain.ts";
import { LARGEST_PAGE, listSignatures } from "../../solana/list-signatures.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { StoredEntry } from "../store/ledger/ledger.ts";

/** Signatures per request; the first read of a ledger requests more at once. */
const PAGE = { first: LARGEST_PAGE, later: 50 } as const;

/** The transactions of some accounts since a slot. */
export interface ListedTransactions {
  /** Slot up to which the list is final. */
  readonly finalSlot: bigint;
  /** First slot of which the node has transactions. */
  readonly historyStart: bigint;
  /** In the order they changed the accounts, oldest first. */
  readonly outcomes: readonly TransactionOutcome[];
  /** Transactions the node lists but could not return. */
  readonly unread: readonly Signature[];
}

/**
 * Lists the transactions of some accounts from one node that has reached `seenSlot`, so that none in between is
 * missing.
 *
 * Throws `ChainUnavailableError`.
 */
export async function listTransactions(
  chain: Chain,
  addresses: readonly Address[],
  options: {
    readonly sinceSlot: bigint;
    readonly seenSlot: bigint;
    /** Required commitment; `confirmed` only when no later read follows. */
    readonly commitment: "finalized" | "confirmed";
    readonly isKnown: (signatures: readonly string[]) => Promise<ReadonlySet<string>>;
  },
): Promise<ListedTransactions> {
  const { sinceSlot, seenSlot, commitment, isKnown } = options;
  return chain.withOneNode(async (node) => {
    const { slot: finalSlot } = await node.progress(commitment);
    // Queried only on the first read: later reads start from booked transactions
    const historyStart = sinceSlot === 0n ? await node.historyStart() : 0n;
    const minSlot = finalSlot > seenSlot ? finalSlot : seenSlot;
    const size = sinceSlot === 0n ? PAGE.first : PAGE.later;
    const lists = await Promise.all(
      addresses.map((address) => listSignatures(node, address, { minSlot, sinceSlot }, size)),
    );
    const listed = [...new Set(lists.flatMap((list) => list.toReversed()))];
    const known = await isKnown(listed);
    const read = await Promise.all(
      listed
        .filter((signature) => !known.has(signature))
        .map(async (signature) => ({ signature, outcome: await readOutcome(node, signature) })),
    );
    // The effect of one that cannot be decoded shows up as a difference
    const isRead = (outcome: TransactionOutcome | "unreadable" | null) =>
      outcome !== null && outcome !== "unreadable";
    const outcomes = read.map(({ outcome }) => outcome).filter(isRead);
    return {
      finalSlot,
      historyStart,
      // The list's order within a slot is kept, because the sort is stable
      outcomes: outcomes.toSorted((one, other) =>
        one.slot < other.slot ? -1 : one.slot > other.slot ? 1 : 0,
      ),
      unread: read.flatMap(({ signature, outcome }) => (isRead(outcome) ? [] : [signature])),
    };
  });
}

type Moved = ResponseOf<typeof ROUTES.listAgentLedger>["pending"][number];

/** Returns what an entry moved, as it is shown before its transaction is booked. */
export const presentPending = (entry: StoredEntry): Moved => {
  const { agentId, signature, kind, market, asset, decimals, base } = entry;
  return {
    agentId,
    signature,
    kind,
    ...(market === "" ? {} : { market }),
    asset,
    amount: formatDecimal(entry.amount, decimals),
    ...(base === undefined || base.amount === 0n || base.marketId === asset
      ? {}
      : { base: { asset: base.marketId, amount: formatDecimal(base.amount, base.decimals) } }),
    at: new Date(entry.atMs).toISOString(),
  };
};

/**
 * Returns whether the node has pruned the agent's beginning: the transaction that paid for its multisig is not listed.
 */
export function isHistoryCut(
  { historyStart, outcomes }: ListedTransactions,
  multisig: Address,
): boolean {
  if (historyStart === 0n) return false;
  return !outcomes.some(({ lamportDeltas }) => (lamportDeltas.get(multisig) ?? 0n) > 0n);
}
