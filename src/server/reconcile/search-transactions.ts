import { createHash } from "node:crypto";
import type { Address } from "@solana/kit";
import { type Account, type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import { listUnknownSignatures } from "../store/custody/custody-notices.ts";
import type { Db } from "../store/postgres/db.ts";
import { keepReconcileMark, readReconcileMark } from "../store/reconcile/reconcile-marks.ts";
import { findForeign, type Judgement } from "./find-foreign.ts";

/** Signatures of the venue account looked at per search. */
const SIGNATURE_LIMIT = 50;

/** An account that looks as before is searched this often all the same. */
const SEARCH_EVERY_MS = 10 * 60_000;

/** One look at an agent's venue account: the transactions that may have to be judged, and how to remember the outcome. */
export interface Search {
  /** Newest first; empty where the account shows that there are none. */
  readonly signatures: readonly string[];
  /** Judges what nobody knows of. Each transaction is asked for once, also over restarts. */
  judge(feePayers: readonly Address[]): Promise<Judgement>;
  /** Keeps what was found out, once everything that follows from it is kept. */
  remember(judgement: Judgement): Promise<void>;
}

/**
 * Lists the transactions of an agent's venue account when its content changed since the last search, or that was long ago.
 *
 * A node may show a change before it lists the transaction, so a change is searched for until it was there twice.
 */
export async function beginSearch(
  { db, chain, nowMs }: { readonly db: Db; readonly chain: Chain; readonly nowMs: number },
  agentId: string,
  account: Address,
): Promise<Search> {
  const [held] = (await chain.accounts([account])).accounts;
  if (held == null) throw new ChainUnavailableError("The trading account was there a moment ago");
  const content = digest(held);
  const mark = await readReconcileMark(db, agentId);
  const isSame = mark?.content === content;
  const isDue = !isSame || nowMs - (mark.searchedAtMs ?? 0) >= SEARCH_EVERY_MS;
  const signatures = isDue ? await chain.signaturesFor(account, SIGNATURE_LIMIT) : [];

  return {
    signatures,
    async judge(feePayers) {
      const judged = new Set(mark?.judged);
      const open = signatures.filter((signature) => !judged.has(signature));
      return findForeign(chain, feePayers, await listUnknownSignatures(db, agentId, open));
    },
    async remember({ unread }) {
      if (!isDue) return;
      const isWhole = isSame && unread.size === 0;
      await keepReconcileMark(db, agentId, {
        content,
        searchedAtMs: isWhole ? nowMs : null,
        judged: signatures.filter((signature) => !unread.has(signature)),
      });
    },
  };
}

const digest = ({ lamports, owner, data }: Account): string =>
  createHash("sha256").update(`${lamports} ${owner} `).update(data).digest("hex");
