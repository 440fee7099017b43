import { ownerText, type PinnedTerms } from "../src/domain/owner-text.ts";
import type { OwnerFactRecord, PinningText } from "../src/server/store/agents/owner-facts.ts";
import { decodeBase58 } from "../src/domain/base58.ts";
import { agentIdOf } from "./ids.ts";
import { createTestWallet, type TestWallet } from "./wallet.ts";
import { NO_OWNER_LIMITS } from "./owner-limits.ts";

type SignedFact = Extract<OwnerFactRecord, { readonly kind: "signed" }>;

const addressNamed = (): string => createTestWallet().address;

/** Terms of an agent that is on. */
export const TERMS: PinnedTerms = {
  agentId: agentIdOf("a"),
  network: "practice",
  venue: "drift",
  marketId: "SOL-PERP",
  interval: "1h",
  autoTrade: "on",
  slippageBps: 50,
  positionSizePercent: 100,
  maxSignalAgeSeconds: 300,
  limits: { ...NO_OWNER_LIMITS, tradesPerDay: 5 },
  custody: { multisig: addressNamed(), vault: addressNamed(), tradingKey: addressNamed() },
};

/** Returns a text as its wallet signed it. */
export function signFact(
  wallet: Pick<TestWallet, "address" | "sign">,
  changes: Partial<PinningText> & { readonly seq?: string } = {},
): SignedFact {
  const { seq = "1", ...others } = changes;
  const issuedAt = others.issuedAt ?? 1_000;
  const parts: PinningText = {
    host: "app.test",
    origin: "http://app.test",
    wallet: wallet.address,
    change: 'Turn on auto-trade of the agent "A".',
    nonce: `nonce${seq}`,
    issuedAt,
    expiresAt: issuedAt + 300_000,
    pinned: TERMS,
    ...others,
  };
  const text = ownerText(parts);
  const signature = decodeBase58(wallet.sign(text), 64) ?? new Uint8Array(64);
  const at = new Date(issuedAt);
  return { seq, at, kind: "signed", wallet: wallet.address, text, signature, parts };
}
