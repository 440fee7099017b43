import type { Address, Signature } from "@solana/kit";
import {
  type Chain,
  ChainUnavailableError,
  type Progress,
  type TransactionOutcome,
  UnreadableTransactionError,
} from "../../solana/chain.ts";
import { finalAfter, type Lifetime } from "../../solana/settle-signature.ts";
import type { CustodyRow } from "../store/custody/custody.ts";

/** What one round of following asks of one node, each thing once however many transactions need it. */
export interface ChainRound {
  readonly node: Chain;
  /** Every transaction the round is about. */
  readonly rows: readonly CustodyRow[];
  /** How far finality is when nothing with the lifetime can land any more, else `null`; ask it before anything is searched. */
  finalAfter(lifetime: Lifetime): Promise<Progress | null>;
  /**
   * The transactions without error that used an account since a slot, newest first.
   *
   * With `final`, all of them, from a node that has seen that slot: what is not among them never landed.
   */
  usersOf(
    address: Address,
    since: bigint | null,
    final: Progress | null,
  ): Promise<readonly TransactionOutcome[]>;
}

/** Signatures looked at per account while a transaction may still land. */
const SEARCH_LIMIT = 20;

/** Most signatures a node tells at once: where it tells as many, there may be more. */
export const WHOLE_LIMIT = 1_000;

async function readTransaction(node: Chain, signature: Signature) {
  try {
    return await node.transaction(signature);
  } catch (error) {
    if (error instanceof UnreadableTransactionError) return "unreadable";
    throw error;
  }
}

/** Begins a round with one node. */
export function beginRound(node: Chain, rows: readonly CustodyRow[]): ChainRound {
  let progress: Promise<Progress> | undefined;
  let historyStart: Promise<bigint> | undefined;
  const users = new Map<string, Promise<readonly TransactionOutcome[]>>();
  const once: Chain = {
    ...node,
    progress: (commitment) => (progress ??= node.progress(commitment)),
    historyStart: () => (historyStart ??= node.historyStart()),
  };

  const search = async (
    address: Address,
    since: bigint | null,
    final: Progress | null,
  ): Promise<readonly TransactionOutcome[]> => {
    const limit = final === null ? SEARCH_LIMIT : WHOLE_LIMIT;
    const signatures = await node.signaturesFor(address, limit, {
      ...(since === null ? {} : { sinceSlot: since }),
      ...(final === null ? {} : { minSlot: final.slot }),
    });
    if (signatures.length === WHOLE_LIMIT) {
      throw new ChainUnavailableError("More transactions used the account than the node tells of.");
    }
    const answers = await Promise.all(
      signatures.map((signature) => readTransaction(node, signature)),
    );
    if (final !== null && answers.includes(null)) {
      throw new ChainUnavailableError("The node does not hold a transaction it knows of.");
    }
    return answers.flatMap((answer) =>
      answer === null || answer === "unreadable" || answer.error !== null ? [] : [answer],
    );
  };

  return {
    node,
    rows,
    finalAfter: (lifetime) => finalAfter(once, lifetime),
    usersOf(address, since, final) {
      const key = `${address} ${since} ${final === null}`;
      const known = users.get(key) ?? search(address, since, final);
      users.set(key, known);
      return known;
    },
  };
}
