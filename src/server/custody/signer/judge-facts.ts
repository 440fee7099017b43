import { ownerTextParts } from "../../../contract/owner-facts.ts";
import { decodeBase58 } from "../../../domain/base58.ts";
import type { AgentId } from "../../../domain/ids.ts";
import { ownerText, type PinnedTerms } from "../../../domain/owner-text.ts";
import { verifyEd25519 } from "../../crypto/verify-ed25519.ts";
import type { HeldTerms } from "../../store/signer/held-terms.ts";
import type { OwnerFactRecord } from "../../store/agents/owner-facts.ts";

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
  facts: readonly OwnerFactRecord[],
  surroundings: FactSurroundings,
): Promise<HeldTerms> {
  let held = before;
  for (const fact of facts)
    held = { ...(await afterFact(held, fact, surroundings)), seq: fact.seq };
  return held;
}

async function afterFact(
  held: HeldTerms,
  fact: OwnerFactRecord,
  surroundings: FactSurroundings,
): Promise<HeldTerms> {
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
  const text = Buffer.from(ownerText(parsed.data));
  const key = decodeBase58(parts.wallet, 32);
  const isSigned =
    key !== null && text.equals(Buffer.from(fact.text)) && verifyEd25519(fact.signature, text, key);
  if (!isSigned) return "is not what the wallet signed";
  return (await isOwner(parts.wallet, pinned)) ? null : "is not signed by the multisig's owner";
}
