import type { Address } from "@solana/kit";
import type { Chain, TransactionOutcome } from "../../solana/chain.ts";
import type { CustodyRow } from "../store/custody.ts";

/**
 * What one round of following asks of a chain, each thing once however many transactions need it.
 *
 * The final height is read before anything is searched: what was not found after a height was final can never land.
 */
export interface ChainRound {
  readonly chain: Chain;
  /** Every transaction the round is about. */
  readonly rows: readonly CustodyRow[];
  finalHeight(): Promise<bigint>;
  /** The transactions without error that used an account, newest first. */
  usersOf(address: Address): Promise<readonly TransactionOutcome[]>;
}

/** Signatures looked at per account. */
export const SEARCH_LIMIT = 20;

/** Begins a round. */
export function beginRound(chain: Chain, rows: readonly CustodyRow[]): ChainRound {
  let height: Promise<bigint> | undefined;
  const users = new Map<Address, Promise<readonly TransactionOutcome[]>>();
  const finalHeight = (): Promise<bigint> =>
    (height ??= chain.progress("finalized").then(({ blockHeight }) => blockHeight));

  const search = async (address: Address): Promise<readonly TransactionOutcome[]> => {
    await finalHeight();
    const signatures = await chain.signaturesFor(address, SEARCH_LIMIT);
    const outcomes = await Promise.all(signatures.map((signature) => chain.transaction(signature)));
    return outcomes.filter(
      (outcome) => outcome !== null && outcome.error === null,
    ) as readonly TransactionOutcome[];
  };

  return {
    chain,
    rows,
    finalHeight,
    usersOf(address) {
      const known = users.get(address) ?? search(address);
      users.set(address, known);
      return known;
    },
  };
}
