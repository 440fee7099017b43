import { createHash } from "node:crypto";
import type { Address, Signature } from "@solana/kit";
import type { AgentId } from "../../domain/ids.ts";
import { type Account, type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import { listUnknownSignatures } from "../store/custody/custody-notices.ts";
import { signaturePages } from "../../solana/list-signatures.ts";
import type { Db } from "../store/postgres/db.ts";
import { keepReconcileMark, readReconcileMark } from "../store/reconcile/reconcile-marks.ts";
import { findExternalActivity, type ExternalFindings } from "./find-external-activity.ts";

/** Signatures of the venue account per request, and per search: strangers can add any number. */
const PAGE = 50;
const MOST_SEARCHED = 1_000;

/** Search interval of an unchanged account, in milliseconds. */
const SEARCH_EVERY_MS = 10 * 60_000;

/** One search of an agent's venue account: the transactions to classify and the function that stores the result. */
export interface Search {
  /** Newest first; empty when the account shows none. */
  readonly signatures: readonly string[];
  /** Classifies the unknown transactions. Each transaction is fetched once, even across restarts. */
  judge(feePayers: readonly Address[]): Promise<ExternalFindings>;
  /** Stores the result, after all its consequences are stored. */
  remember(judgement: ExternalFindings): Promise<void>;
}

const NOTHING_YET: Search = {
  signatures: [],
  judge: async () => ({ foreign: [], unread: new Set() }),
  remember: async () => {},
};

/**
 * Lists the transactions of an agent's venue account when its content changed since the last search or the search
 * interval has passed.
 *
 * A node may show a change before it lists the transaction, so a changed account is searched until two searches saw the
 * change.
 */
export async function beginSearch(
  { db, chain, nowMs }: { readonly db: Db; readonly chain: Chain; readonly nowMs: number },
  agentId: AgentId,
  account: Address,
): Promise<Search> {
  const [held] = (await chain.accounts([account])).accounts;
  const mark = await readReconcileMark(db, agentId);
  if (held == null) {
    // The first deposit opens a vault's token account: until then there is nothing to search
    if (mark === null) return NOTHING_YET;
    throw new ChainUnavailableError("The trading account was there a moment ago");
  }
  const content = digest(held);
  const isSame = mark?.content === content;
  const isDue = !isSame || nowMs - (mark.searchedAtMs ?? 0) >= SEARCH_EVERY_MS;
  const signatures = isDue ? await listSince(chain, account, new Set(mark?.judged)) : [];

  return {
    signatures,
    async judge(feePayers) {
      const judged = new Set(mark?.judged);
      const open = signatures.filter((signature) => !judged.has(signature));
      const unknown = await listUnknownSignatures(db, agentId, open);
      return findExternalActivity(chain, held.owner, feePayers, unknown);
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

/** Lists an account's transactions, newest first, back to those of the last search. */
async function listSince(
  chain: Chain,
  account: Address,
  judged: ReadonlySet<string>,
): Promise<readonly Signature[]> {
  const found: Signature[] = [];
  for await (const page of signaturePages(chain, account, {}, PAGE)) {
    found.push(...page);
    const oldest = page.at(-1);
    const isKnown = judged.size === 0 || (oldest !== undefined && judged.has(oldest));
    if (isKnown || found.length >= MOST_SEARCHED) break;
  }
  return found;
}

const digest = ({ lamports, owner, data }: Account): string =>
  createHash("sha256").update(`${lamports} ${owner} `).update(data).digest("hex");
