import type { AgentId } from "../../domain/ids.ts";
import {
  type Chain,
  ChainUnavailableError,
  type Progress,
  type SignatureStatus,
  type TransactionOutcome,
  readOutcome,
} from "../../solana/chain.ts";
import {
  type CustodyRow,
  findNewestExpectation,
  listUnsettled,
  listRecordedSignatures,
} from "../store/custody/custody.ts";
import { findCustodyAgent } from "../store/custody/multisigs.ts";
import type { NetworkRuntime } from "../networks.ts";
import { repeatEach } from "../pacing/repeat-task.ts";
import {
  decodeExpectation,
  type Expectation,
  movedTokens,
  searchedAccountOf,
} from "./account/expectation.ts";
import { commit, settle, type SettleDeps } from "./settle-transaction.ts";
import type { CustodyChange } from "../store/custody/commit-change.ts";
import type { Signature, Address } from "@solana/kit";
import {
  parseSignature,
  parseAddress,
  signatureBytes,
} from "../../solana/encoding/address-codec.ts";
import { listSignatures } from "../../solana/list-signatures.ts";
import { explainCustodyFailure } from "./explain-chain.ts";
import type { ExpectedEffect } from "../../venues/plan-step.ts";
import { sendAgain } from "../../solana/land-signed.ts";
import { finalAfter, type Lifetime } from "../../solana/settle-signature.ts";
import { attachSignature, unsignedSigners } from "../../solana/signing.ts";
import { verifyEd25519 } from "../crypto/verify-ed25519.ts";

/** Number of an account's newest transactions that are read while one of ours may still land. */
const SEARCH_LIMIT = 20;

/** Tracks every transaction the chain may still execute until it is settled. */
export interface CustodyFollower {
  /**
   * Queries every unsettled transaction once, of one agent when given; failures are reported and retried at the next
   * interval. Of one agent, accounts that its newest transaction closed are believed to be gone from then on.
   */
  follow(agentId?: AgentId): Promise<void>;
  /** Starts tracking at intervals, beginning with what an earlier process left open. */
  start(): void;
  /** Stops tracking and waits for the current round. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 1_000;

/** Creates the follower of a process. Several processes may track the same transactions: each is settled once. */
export function createCustodyFollower(
  deps: SettleDeps & { readonly onFailure?: (error: unknown) => void },
): CustodyFollower {
  /** Queries one node about all of them; unanswered ones are queried on the next node. */
  const followOn = async (chain: Chain, rows: readonly CustodyRow[]): Promise<void> => {
    const open = new Set(rows);
    await chain.withOneNode(async (node) => {
      const round = beginRound(node, rows);
      let unavailable: ChainUnavailableError | undefined;
      for (const row of open) {
        try {
          const change = await followTransaction(deps, row, round);
          if (change !== null) await commit(deps, row, change);
          open.delete(row);
        } catch (error) {
          if (error instanceof ChainUnavailableError) {
            unavailable = error;
          } else {
            open.delete(row);
            deps.onFailure?.(error);
          }
        }
      }
      if (unavailable !== undefined) throw unavailable;
    });
  };

  const followNetwork = async ({ network, chain }: NetworkRuntime, agentId?: AgentId) => {
    const rows = await listUnsettled(deps.db, agentId);
    const ours = rows.filter((row) => row.network === network);
    if (ours.length === 0) return;
    await followOn(chain, ours).catch((error: unknown) => deps.onFailure?.(error));
  };

  /** What another process followed is news to this one. */
  const forgetClosedOf = async (agentId: AgentId): Promise<void> => {
    const expects = await findNewestExpectation(deps.db, agentId);
    const agent = expects === null ? null : await findCustodyAgent(deps.db, agentId);
    if (agent === null) return;
    forgetClosedAccounts(deps.networks.get(agent.network), decodeExpectation(expects).effects);
  };

  const rounds = repeatEach(
    () => deps.networks.values(),
    (runtime) => followNetwork(runtime),
    { pauseMs: INTERVAL_MS, onFailure: (error) => deps.onFailure?.(error) },
  );

  return {
    async follow(agentId) {
      await Promise.all(
        [...deps.networks.values()].map((runtime) => followNetwork(runtime, agentId)),
      );
      if (agentId !== undefined) await forgetClosedOf(agentId);
    },
    start: rounds.start,
    stop: rounds.stop,
  };
}

/**
 * Queries the outcome of one transaction from a node. Returns what it changes, or null while nothing is known.
 *
 * Used for a transaction just sent, one whose report was lost with a closed tab, one an earlier process left open, and
 * one that was replaced but may still land. It is expired only when this one node shows that its last valid block is
 * final and then finds neither its signature nor its effect. Throws `ChainUnavailableError`; retrying, also on another
 * node, is safe.
 */
async function followTransaction(
  deps: SettleDeps,
  row: CustodyRow,
  round: ChainRound,
): Promise<CustodyChange | null> {
  const { node } = round;
  if (row.settledAt !== null) return null;
  const expects = decodeExpectation(row.expects);
  const final = await round.finalAfter(row);

  const sent = await querySent(row, node, expects, final);
  if (sent === "undecided") return null;
  if (sent !== null && sent !== "foreign") return settleLanded(deps, node, row, expects, sent);
  const end = await findEnd(deps, row, round, expects, final);
  if (sent === null) return end;
  const { transaction = { row, ending: null }, ...consequences } = end ?? {
    atMs: deps.clock.now(),
    stale: [],
  };
  return { ...consequences, transaction: { ...transaction, dropsSignature: true } };
}

interface SentStatus {
  readonly signature: Signature;
  readonly status: SignatureStatus;
}

/**
 * Queries the reported signature, and sends the bytes again where the node does not know it. Null where none was
 * reported or it never landed, `foreign` where it belongs to another transaction, `undecided` where a later look tells.
 */
async function querySent(
  row: CustodyRow,
  node: Chain,
  expects: Expectation,
  final: Progress | null,
): Promise<SentStatus | "foreign" | "undecided" | null> {
  if (row.signature === null) return null;
  const signature = parseSignature(row.signature);
  const least = final === null ? {} : { minSlot: final.slot };
  const look = async (): Promise<SignatureStatus | null> =>
    (await node.signatureStatuses([signature], least)).statuses[0] ?? null;
  let status = await look();
  if (status === null && row.transaction !== null && final === null) {
    await sendAgain(node, row.transaction);
    status = await look();
    if (status === null) return "undecided";
  }
  if (status === null) return null;
  if (status.commitment === "processed") return "undecided";
  const ours = await isOurs(node, row, expects, signature, status);
  if (ours === "unknown") return "undecided";
  return ours ? { signature, status } : "foreign";
}

/** Searches for the landed transaction; without it, it has expired once no such transaction can land any more. */
async function findEnd(
  deps: SettleDeps,
  row: CustodyRow,
  round: ChainRound,
  expects: Expectation,
  final: Progress | null,
): Promise<CustodyChange | null> {
  const found = await searchLanded(deps, row, round, expects, final);
  if (found !== undefined) return confirm(deps, round.node, row, expects, found);
  if (final === null) return null;
  return settle(deps, row, {
    state: row.state === "abandoned" ? "abandoned" : "expired",
    reason: row.reason ?? expiryReason(row),
  });
}

function expiryReason({ state }: CustodyRow): string {
  if (state === "sent") return "The transaction expired without landing. Nothing was moved.";
  return state === "abandoned" ? "It was replaced by a newer one." : "It was not signed in time.";
}

// Returns whether the transaction is ours: signed over exactly our message, using the account only ours can use, or
// with the expected transfers
async function isOurs(
  chain: Chain,
  row: CustodyRow,
  expects: Expectation,
  sent: Signature,
  status: SignatureStatus,
): Promise<boolean | "unknown"> {
  if (row.transaction !== null) return true;
  if (isSignedOver(row, sent)) return true;
  if (expects.vaultTransaction !== null) {
    const since = { minSlot: status.slot, sinceSlot: status.slot };
    const users = await listSignatures(chain, expects.vaultTransaction, since);
    return users.includes(sent);
  }
  const outcome = await chain.transaction(sent);
  // The node that returned the status may not have the transaction yet
  if (outcome === null) return "unknown";
  return expects.effects.every(
    (effect) =>
      effect.kind !== "lamports_at_least" || (outcome.lamportDeltas.get(effect.address) ?? 0n) > 0n,
  );
}

async function settleLanded(
  deps: SettleDeps,
  chain: Chain,
  row: CustodyRow,
  expects: Expectation,
  { signature, status }: SentStatus,
): Promise<CustodyChange | null> {
  const outcome = await chain.transaction(signature);
  if (status.error !== null) {
    const venues = [...(deps.networks.get(row.network)?.venues.values() ?? [])];
    const reason = explainCustodyFailure(
      status.error,
      outcome?.logs ?? [],
      venues.map(({ programErrors }) => programErrors),
    );
    return settle(deps, row, { state: "failed", reason, signature });
  }
  // The node that returned the status may not have the transaction yet
  return outcome === null ? null : confirm(deps, chain, row, expects, outcome);
}

async function confirm(
  deps: SettleDeps,
  chain: Chain,
  row: CustodyRow,
  expects: Expectation,
  outcome: TransactionOutcome,
): Promise<CustodyChange> {
  const { signature } = outcome;
  forgetClosedAccounts(deps.networks.get(row.network), expects.effects);
  const hasEffect =
    movedTokens(outcome, expects.effects) &&
    (await stateShows(chain, expects.effects, outcome.slot));
  if (hasEffect) return settle(deps, row, { state: "confirmed", signature }, outcome);
  const reason = "The transaction landed without the expected effect.";
  return settle(deps, row, { state: "failed", reason, signature });
}

// Searches by the account that only one transaction can use; of several prepared for it, the one whose bytes were
// signed
async function searchLanded(
  deps: SettleDeps,
  row: CustodyRow,
  round: ChainRound,
  expects: Expectation,
  final: Progress | null,
): Promise<TransactionOutcome | undefined> {
  const searched = searchedAccountOf(expects);
  if (searched === null) return undefined;
  const users = await round.usersOf(searched, row.blockhashSlot, final);
  if (expects.vaultTransaction === null) {
    return (
      users.find(({ signature }) => isSignedOver(row, signature)) ??
      findByEffect(deps, row, round, expects, users)
    );
  }
  return users.find(
    (outcome) =>
      movedTokens(outcome, expects.effects) &&
      (isSignedOver(row, outcome.signature) ||
        !round.rows.some((other) => isSignedOver(other, outcome.signature))),
  );
}

/**
 * Finds a landed transaction that a wallet modified before sending, when nobody reported its signature and it uses no
 * account that only ours can use.
 *
 * A match is a successful transaction of the owner that belongs to no other row, while the chain shows the expected
 * effects: a plan contains only effects the chain did not show when it was made. `users` are the landed transactions of
 * an account that ours changes, newest first.
 */
async function findByEffect(
  { db }: Pick<SettleDeps, "db">,
  row: CustodyRow,
  round: ChainRound,
  { effects, needsCoSigner }: Expectation,
  users: readonly TransactionOutcome[],
): Promise<TransactionOutcome | undefined> {
  // An account may have existed before; only bytes and a closed account prove that it was ours
  const isTelling = effects.some(({ kind }) => kind === "bytes_at" || kind === "account_gone");
  // Co-signed transactions are stored before they are sent, so they need no search
  if (needsCoSigner || !isTelling) return undefined;
  const owner = parseAddress(row.owner);
  const candidates = users.filter(
    (outcome) =>
      outcome.lamportDeltas.has(owner) &&
      movedTokens(outcome, effects) &&
      !round.rows.some((other) => isSignedOver(other, outcome.signature)),
  );
  if (candidates.length === 0) return undefined;
  const recorded = await listRecordedSignatures(
    db,
    row.agentId,
    candidates.map(({ signature }) => signature),
  );
  const found = candidates.find(({ signature }) => !recorded.has(signature));
  if (found === undefined) return undefined;
  return (await stateShows(round.node, effects, found.slot)) ? found : undefined;
}

/**
 * Tells this process that a landed transaction closed accounts; otherwise a single node would not be believed for 32
 * slots that they are gone.
 */
function forgetClosedAccounts(
  runtime: NetworkRuntime | undefined,
  effects: readonly ExpectedEffect[],
): void {
  runtime?.forgetAccounts?.(
    effects.flatMap((effect) => (effect.kind === "account_gone" ? [effect.address] : [])),
  );
}

type StateEffect = Exclude<ExpectedEffect, { kind: "token_delta" }>;

/**
 * Returns whether the chain's present state shows the effects; token movements are not part of a state and are skipped.
 */
async function stateShows(
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

/** One round of transaction tracking against one node; every query is made once and shared by all transactions. */
interface ChainRound {
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
function beginRound(node: Chain, rows: readonly CustodyRow[]): ChainRound {
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

/**
 * Returns whether a signature is the owner's over exactly the prepared bytes; a wallet that modified them produces
 * another.
 */
function isSignedOver(row: CustodyRow, signature: string): boolean {
  const owner = parseAddress(row.owner);
  const bytes = signatureBytes(signature);
  const signed = attachSignature(row.message, owner, bytes);
  return !unsignedSigners(signed, verifyEd25519).includes(owner);
}
