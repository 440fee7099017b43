import { associatedTokenAddress } from "../../solana/programs/associated-token.ts";
import type { ApprovalRequest } from "./approval-request.ts";
import type { CustodyIntent } from "./custody-intent.ts";
import { insist, Mismatch } from "./mismatch.ts";
import type { Effect } from "./transaction-summary.ts";

/** Most SOL a set-up puts into the vault, in lamports: 0.1 SOL. Spec: agents §9 */
export const MAX_VAULT_FUNDING_LAMPORTS = 100_000_000n;

type Kind = Effect["kind"];

const CLOSING: readonly Kind[] = ["venue-cancel", "venue-close", "venue-settle"];

/** What each intent may do at all; the rest cannot be checked by this page and is refused. */
const ALLOWED: Readonly<Partial<Record<CustodyIntent, readonly Kind[]>>> = {
  "set-up": ["create-multisig", "lamports", "create-token-account", "venue-account", "delegate"],
  deposit: ["create-token-account", "tokens", "venue-deposit", "venue-name"],
  withdraw: ["create-token-account", "tokens", "venue-withdrawal", "venue-settle"],
  "close-positions": CLOSING,
  revoke: ["delegate"],
  delete: [
    ...CLOSING,
    "create-token-account",
    "tokens",
    "venue-withdrawal",
    "venue-deletion",
    "delegate",
    "close-token-account",
    "lamports",
  ],
};

const ONCE: readonly Kind[] = [
  "create-multisig",
  "lamports",
  "tokens",
  "delegate",
  "venue-name",
  "venue-withdrawal",
  "venue-deletion",
  "close-token-account",
];

function checkEffect(effect: Effect, request: ApprovalRequest): void {
  const { wallet, vault, multisig, intent } = request;
  const quoteMint = request.instance.quote.mint;
  switch (effect.kind) {
    case "create-multisig":
      insist(
        effect.multisig === multisig,
        "The multisig would get another address than announced.",
      );
      return;
    case "lamports":
      checkLamports(effect, request);
      return;
    case "create-token-account": {
      const owner = intent === "withdraw" || intent === "delete" ? wallet : vault;
      insist(effect.owner === owner, "A token account would be opened for somebody else.");
      insist(
        effect.account === associatedTokenAddress(owner, quoteMint),
        "A token account would be opened for another token.",
      );
      return;
    }
    case "tokens":
      checkTokens(effect, request);
      return;
    case "close-token-account":
      insist(
        effect.account === associatedTokenAddress(vault, quoteMint) && effect.to === vault,
        "A token account would be closed that is not the vault's.",
      );
      return;
    case "venue-deposit":
    case "venue-withdrawal":
      // Deleting sweeps whatever is left, wherever it stands, to the owner's wallet
      insist(
        effect.amount === request.amount || intent === "delete",
        "The amount is not what you asked for.",
      );
      return;
    case "delegate":
      insist(
        intent === "set-up"
          ? effect.delegate !== null && effect.delegate !== wallet && effect.delegate !== vault
          : effect.delegate === null,
        "The trading key is not a trading key.",
      );
      return;
    default:
  }
}

function checkLamports(
  effect: Extract<Effect, { kind: "lamports" }>,
  { wallet, vault, intent }: ApprovalRequest,
): void {
  if (intent === "delete") {
    insist(
      effect.from === vault && effect.to === wallet,
      "The vault's SOL would go somewhere else than your wallet.",
    );
    return;
  }
  insist(
    effect.from === wallet && effect.to === vault,
    "SOL would go somewhere else than this agent's vault.",
  );
  insist(
    effect.lamports <= MAX_VAULT_FUNDING_LAMPORTS,
    "More SOL would go to the vault than the set-up needs.",
  );
}

function checkTokens(effect: Extract<Effect, { kind: "tokens" }>, request: ApprovalRequest): void {
  const { wallet, vault, amount, intent } = request;
  const { mint, decimals } = request.instance.quote;
  const [source, target] = intent === "deposit" ? [wallet, vault] : [vault, wallet];
  insist(
    effect.mint === null ? intent !== "deposit" : effect.mint === mint,
    "Another token would move than the one you asked for.",
  );
  insist(
    effect.decimals === null || effect.decimals === decimals,
    "Another token would move than the one you asked for.",
  );
  // An associated account exists for one mint only, so both ends name the token where the instruction does not
  insist(
    effect.from === associatedTokenAddress(source, mint) &&
      effect.to === associatedTokenAddress(target, mint),
    intent === "deposit"
      ? "The money would go somewhere else than this agent's vault."
      : "The money would go somewhere else than your wallet.",
  );
  insist(effect.amount === amount || intent === "delete", "The amount is not what you asked for.");
}

function requireOne(effects: readonly Effect[], kind: Kind, sentence: string): void {
  insist(effects.filter((effect) => effect.kind === kind).length === 1, sentence);
}

/** Insists that the effects are exactly what the intent is for: nothing foreign, nothing twice, nothing missing. */
export function checkEffects(effects: readonly Effect[], request: ApprovalRequest): void {
  const allowed = ALLOWED[request.intent];
  if (allowed === undefined) throw new Mismatch("This page cannot check that kind of transaction.");
  for (const effect of effects) {
    insist(allowed.includes(effect.kind), "The transaction does more than what you asked for.");
    checkEffect(effect, request);
  }
  for (const kind of ONCE) {
    insist(
      effects.filter((effect) => effect.kind === kind).length <= 1,
      "The transaction does something twice.",
    );
  }
  const settlesOnly = effects.every((effect) => effect.kind === "venue-settle");
  if (request.intent === "deposit") {
    requireOne(effects, "tokens", "The transaction would not move the money into the vault.");
    requireOne(effects, "venue-deposit", "The transaction would not deposit at the venue.");
  }
  if (request.intent === "withdraw" && !settlesOnly) {
    requireOne(effects, "venue-withdrawal", "The transaction would not withdraw from the venue.");
    requireOne(effects, "tokens", "The transaction would not move the money to your wallet.");
  }
  if (effects.some(({ kind }) => kind === "venue-withdrawal") && request.intent === "delete") {
    requireOne(effects, "tokens", "The transaction would not move the money to your wallet.");
  }
}
