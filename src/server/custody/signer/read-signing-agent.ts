import type { Address } from "@solana/kit";
import type { Pool } from "pg";
import type { Clock } from "../../../domain/clock.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import { beyondSigned, ownerText, type PinnedTerms } from "../../../domain/owner-text.ts";
import { strictestOf, type TradingState } from "../../../domain/trading-state.ts";
import type { VenueId } from "../../../domain/venue-id.ts";
import { type Account, ChainUnavailableError } from "../../../solana/chain.ts";
import { parseAddress } from "../../../solana/encoding/address-codec.ts";
import type { SigningRules } from "../../../venues/order-signing.ts";
import type { AgentRecord } from "../../store/agents/agents.ts";
import {
  type FactToJudge,
  type HeldAgent,
  keepHeldTerms,
  readFactsAfter,
  readHeldAgent,
  type HeldTerms,
} from "../../store/signer/held-terms.ts";
import { storedTerms, type OwnerFactRecord } from "../../store/agents/owner-facts.ts";
import { within } from "../../pacing/big-reads.ts";
import { checkMultisig } from "../account/read-custody.ts";
import type { CustodyKeys } from "../account/custody-keys.ts";
import { createRecent } from "../account/recent.ts";
import { toVenueAccount } from "../account/venue-account.ts";
import type { SigningAgent, SigningAgents } from "./create-trading-key-signer.ts";
import { ownerTextParts } from "../../../contract/owner-facts.ts";
import { decodeBase58 } from "../../../domain/base58.ts";
import { signedForms } from "../../../solana/signing.ts";
import { verifyEd25519 } from "../../crypto/verify-ed25519.ts";

/** Returns the signing rules of a network and venue; undefined when the deployment has none. */
export type RulesOf = (network: Network, venue: VenueId) => SigningRules | undefined;

interface SigningAgentsDeps {
  readonly pool: Pool;
  readonly rulesOf: RulesOf;
  readonly tradingState: () => TradingState;
  readonly keys: Pick<CustodyKeys, "isCustody">;
  readonly clock: Clock;
  /** Host that the deployment is reached at, without port, which owners' texts name. */
  readonly host: string;
  /** Reads an account from the chain; throws `ChainUnavailableError` where it cannot. */
  readonly readAccount: (network: Network, address: Address) => Promise<Account | null>;
}

/** Agents that are remembered. */
const MAX_REMEMBERED = 10_000;

/**
 * Creates the signer's own reader of agents. Rows are believed where they tighten: an agent opens nothing beyond what a
 * text pins that its owner signed, only reduces where somebody else may move the money, and signs nothing with a key
 * that was withdrawn once.
 */
export function createSigningAgents(deps: SigningAgentsDeps): SigningAgents {
  const known = createRecent<AgentId, HeldAgent>(MAX_REMEMBERED);
  const judge = createJudge(deps);
  const toSigning = (found: HeldAgent, unjudged?: ChainUnavailableError): SigningAgent | null => {
    const { agent, isUndecided, digest } = found;
    if (agent.multisig === null || agent.multisig.keyRevokedAt !== null) return null;
    if (found.held.withdrawnKeys.includes(agent.multisig.tradingKey)) return null;
    const account = toVenueAccount(agent);
    const { network, venue, marketId } = agent;
    // An exit begins no wider than signed either
    const slippageBps = Math.min(
      agent.slippageBps,
      found.held.terms?.slippageBps ?? agent.slippageBps,
    );
    const leverage = Math.min(agent.leverage, found.held.terms?.leverage ?? 1);
    const rules = venue === null ? undefined : deps.rulesOf(network, venue);
    if (account === null || rules === undefined) return null;
    const unsigned = refuseEntries(found);
    const isEntryAllowed = agent.autoTrade === "on" && !isUndecided && unsigned === null;
    const tradingState = strictestOf(deps.tradingState(), isEntryAllowed ? "active" : "reducing");
    // A plan that only became stricter needs no text. Turning off closes the position: until then its stop is wanted
    const plan = found.held.terms?.plan?.stop ?? agent.plan?.stop;
    const stop = found.isPlanOver ? null : (plan?.at ?? null);
    const terms = { marketId, slippageBps, leverage, stop, tradingState, unsigned };
    return { account, network, rules, terms, digest, unjudged };
  };
  return {
    async read(agentId) {
      let found = await readHeldAgent(deps.pool, agentId);
      let unjudged: ChainUnavailableError | undefined;
      if (found !== null && isBehind(found)) {
        unjudged = await judge(found);
        found = await readHeldAgent(deps.pool, agentId);
      }
      if (found === null) return null;
      known.set(agentId, found);
      return toSigning(found, unjudged ?? (isBehind(found) ? stillJudged() : undefined));
    },
    remembered(agentId) {
      const found = known.get(agentId);
      return found === undefined ? null : toSigning(found);
    },
    forget: (agentId) => known.delete(agentId),
  };
}

/** Returns why an agent may only reduce by what its owner signed; null when it may open too. */
function refuseEntries(found: HeldAgent): string | null {
  if (isBehind(found)) return "what its owner signed is still being judged";
  const { terms, isOff, refused } = found.held;
  const because = refused === null ? "" : `; the newest text ${refused}`;
  if (terms === null) return `its owner has signed nothing${because}`;
  if (isOff) return `its owner has not signed its auto-trade${because}`;
  const beyond = beyondSigned(terms, storedTerms(found.agent));
  return beyond === null ? null : beyond + because;
}

/** Most readings of new facts for one signature; an agent with more of them opens nothing until all are judged. */
const MAX_ROUNDS = 3;

/** Longest wait of a signature for them, in milliseconds: an exit is signed by what is held already. */
const JUDGE_MS = 2_000;

const stillJudged = (cause?: unknown): ChainUnavailableError =>
  new ChainUnavailableError("Not signed yet: what its owner signed is still being judged", {
    cause,
  });

/** Creates what judges an agent's new facts, once at a time, and returns why they are not all judged yet. */
function createJudge(deps: SigningAgentsDeps) {
  const atWork = new Map<AgentId, Promise<void>>();

  async function work(first: HeldAgent): Promise<void> {
    const agentId = first.agent.id;
    const isOwner = createOwnerCheck(deps, first.agent);
    const { newestSeq } = first;
    let { held } = first;
    for (let round = 0; round < MAX_ROUNDS && isBehind({ held, newestSeq }); round += 1) {
      const facts = await readFactsAfter(deps.pool, agentId, held.seq);
      const { host, clock } = deps;
      held = await judgeFacts(held, facts, { agentId, host, nowMs: clock.now(), isOwner });
      await keepHeldTerms(deps.pool, agentId, held);
    }
  }

  return async (found: HeldAgent): Promise<ChainUnavailableError | undefined> => {
    const { id } = found.agent;
    const judging = atWork.get(id) ?? work(found).finally(() => atWork.delete(id));
    atWork.set(id, judging);
    judging.catch(() => {});
    return within(JUDGE_MS, judging).then(() => undefined, stillJudged);
  };
}

const isBehind = ({ held, newestSeq }: Pick<HeldAgent, "held" | "newestSeq">): boolean =>
  BigInt(newestSeq) > BigInt(held.seq);

/**
 * Returns what tells whether the chain shows a wallet as the owner of the agent's multisig, which only our create key
 * opened. The chain is asked once, however many wallets signed.
 */
function createOwnerCheck(
  { keys, readAccount }: SigningAgentsDeps,
  agent: AgentRecord,
): (wallet: string) => Promise<boolean> {
  const account = toVenueAccount(agent);
  let read: Promise<Account | null> | undefined;
  return async (wallet) => {
    if (account === null || agent.multisig === null || !keys.isCustody(agent.id, account))
      return false;
    const multisig = await (read ??= readAccount(agent.network, account.multisig));
    if (multisig === null) return false;
    const createKey = parseAddress(agent.multisig.createKey);
    return !("mismatch" in checkMultisig(multisig, { owner: parseAddress(wallet), createKey }));
  };
}

/** Largest lead of the clock that issued a text over the signer's, in milliseconds. */
const MAX_LEAD_MS = 60_000;

/** What a text is held against. */
export interface FactSurroundings {
  readonly agentId: AgentId;
  /** Host that the deployment is reached at, without port: its servers may have several. */
  readonly host: string;
  readonly nowMs: number;
  /** Returns whether the chain shows this wallet as the owner of the agent's multisig. */
  readonly isOwner: (wallet: string, terms: PinnedTerms) => Promise<boolean>;
}

type SignedFact = Extract<OwnerFactRecord, { readonly kind: "signed" }>;

/** Returns what is held of an agent after its next facts, oldest first. Only a text of the owner can loosen it. */
export async function judgeFacts(
  before: HeldTerms,
  facts: readonly FactToJudge[],
  surroundings: FactSurroundings,
): Promise<HeldTerms> {
  let held = before;
  for (const fact of facts)
    held = { ...(await afterFact(held, fact, surroundings)), seq: fact.seq };
  return held;
}

async function afterFact(
  held: HeldTerms,
  fact: FactToJudge,
  surroundings: FactSurroundings,
): Promise<HeldTerms> {
  if (fact.kind === "too_long") return { ...held, refused: "is too long to be read" };
  if (fact.kind === "off") return { ...held, isOff: true };
  if (fact.kind === "key_withdrawn") {
    return { ...held, withdrawnKeys: [...new Set([...held.withdrawnKeys, fact.tradingKey])] };
  }
  const refused = await refuseText(held, fact, surroundings);
  if (refused !== null) return { ...held, refused };
  const { issuedAt, pinned } = fact.parts;
  return { ...held, issuedAt, terms: pinned, isOff: false, refused: null };
}

/** Returns why a text does not count, or null when it does; the chain is read last. */
async function refuseText(
  held: HeldTerms,
  fact: SignedFact,
  { agentId, host, nowMs, isOwner }: FactSurroundings,
): Promise<string | null> {
  const parsed = ownerTextParts.safeParse(fact.parts);
  if (!parsed.success) return "has parts that are not understood";
  const { pinned, ...parts } = parsed.data;
  if (pinned.agentId !== agentId) return "is of another agent";
  if (parts.host.replace(/:\d+$/, "") !== host) return "is of another host";
  if (parts.wallet !== fact.wallet) return "names another wallet than it is kept for";
  if (parts.issuedAt <= held.issuedAt) return "is not newer than the one in force";
  if (parts.issuedAt > nowMs + MAX_LEAD_MS) return "is from the future";
  const text = ownerText(parsed.data);
  const key = decodeBase58(parts.wallet, 32);
  const isSigned =
    key !== null &&
    text === fact.text &&
    signedForms(text, parts.wallet, parts.host).some((form) =>
      verifyEd25519(fact.signature, form, key),
    );
  if (!isSigned) return "is not what the wallet signed";
  return (await isOwner(parts.wallet, pinned)) ? null : "is not signed by the multisig's owner";
}
