import type { Address, Signature } from "@solana/kit";
import {
  type Chain,
  ChainUnavailableError,
  type Progress,
  type TransactionOutcome,
} from "../../solana/chain.ts";
import { listSignatures } from "../../solana/list-signatures.ts";
import { readOutcome } from "../../solana/read-outcome.ts";
import { finalAfter, type Lifetime } from "../../solana/settle-signature.ts";
import { decodeExpectation, searchedAccountOf } from "./account/expectation.ts";
import { isSignedOver } from "./is-signed-over.ts";
import type { CustodyRow } from "../store/custody/custody.ts";

/** One round of transaction tracking against one node; every query is made once and shared by all transactions. */
export interface ChainRound {
  readonly node: Chain;
  /** All transactions of the round. */
  readonly rows: readonly CustodyRow[];
  /**
   * Returns the final progress once no transaction with the lifetime can land any more, else `null`; call it before
   * searching.
   */
  finalAfter(lifetime: Lifetime): Promise<Progress | null>;
  /**
   * Returns the successful transactions that used an account since a slot, newest first.
   *
   * With `final` the list is complete, from a node that has reached that slot: a transaction missing from it never
   * landed.
   */
  usersOf(
    address: Address,
    since: bigint | null,
    final: Progress | null,
  ): Promise<readonly TransactionOutcome[]>;
}

/** Number of an account's newest transactions that are read while one of ours may still land. */
const SEARCH_LIMIT = 20;

/** Returns the newest signatures and those an owner made of our bytes, which strangers cannot push out. */
function likelyOnes(
  listed: readonly Signature[],
  address: Address,
  rows: readonly CustodyRow[],
): readonly Signature[] {
  if (listed.length <= SEARCH_LIMIT) return listed;
  const ours = rows.filter(
    ({ expects }) => searchedAccountOf(decodeExpectation(expects)) === address,
  );
  return listed.filter(
    (signature, at) => at < SEARCH_LIMIT || ours.some((row) => isSignedOver(row, signature)),
  );
}

/** Starts a round with one node. */
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
    const listed = await listSignatures(node, address, {
      ...(since === null ? {} : { sinceSlot: since }),
      ...(final === null ? {} : { minSlot: final.slot }),
    });
    const signatures = final === null ? likelyOnes(listed, address, rows) : listed;
    const answers = await Promise.all(signatures.map((signature) => readOutcome(node, signature)));
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
