import type { Address } from "@solana/kit";
import type { Effect, EffectKind } from "../../../venues/effect.ts";
import { insist, Mismatch } from "../../../venues/mismatch.ts";
import type {
  ApprovalRequest,
  ApprovalTerms,
  IntentRule,
  Party,
} from "../../../venues/venue-approval.ts";
import { checkMove } from "./check-move.ts";

/** Most SOL a set-up puts into the vault, in lamports: 0.1 SOL. */
const MAX_VAULT_FUNDING_LAMPORTS = 100_000_000n;

/** Effect kinds that may occur at most once per transaction, for every intent. */
const ONCE: readonly EffectKind[] = [
  "create-multisig",
  "lamports",
  "tokens",
  "trading-key",
  "sale",
  "venue-name",
  "venue-deposit",
  "venue-withdrawal",
  "venue-deletion",
];

/** Context for checking one effect. */
interface Context {
  readonly request: ApprovalRequest;
  readonly terms: ApprovalTerms;
  readonly rule: IntentRule;
  /** Trading key that receives spending limits; null when none are set. */
  readonly tradingKey: string | null;
}

function isOneOf(
  address: string,
  parties: readonly Party[],
  { request: { wallet, vault }, tradingKey }: Context,
): boolean {
  const addresses = { wallet, vault, "trading-key": tradingKey };
  return parties.some((party) => addresses[party] === address);
}

function checkLamports(
  { from, to, lamports }: Extract<Effect, { kind: "lamports" }>,
  { wallet, vault, intent }: ApprovalRequest,
): void {
  if (intent === "delete") {
    insist(
      from === vault && to === wallet,
      "The vault's SOL would go somewhere else than your wallet.",
    );
    return;
  }
  insist(from === wallet && to === vault, "SOL would go somewhere else than this agent's vault.");
  insist(
    lamports <= MAX_VAULT_FUNDING_LAMPORTS,
    "More SOL would go to the vault than the set-up needs.",
  );
}

function checkTradingKey(
  tradingKey: string | null,
  { wallet, vault, intent }: ApprovalRequest,
): void {
  const others: readonly (string | Address)[] = [wallet, vault];
  insist(
    intent === "set-up" ? tradingKey !== null && !others.includes(tradingKey) : tradingKey === null,
    "The trading key is not a trading key.",
  );
}

function checkEffect(effect: Effect, context: Context): void {
  const { request, rule, tradingKey } = context;
  switch (effect.kind) {
    case "create-multisig":
      insist(
        effect.multisig === request.multisig,
        "The multisig would get another address than announced.",
      );
      return;
    case "lamports":
      checkLamports(effect, request);
      return;
    case "create-token-account":
      insist(
        isOneOf(effect.owner, rule.opensFor ?? [], context),
        "A token account would be opened for somebody else.",
      );
      return;
    case "close-token-account":
      insist(
        rule.closes !== undefined &&
          isOneOf(effect.owner, [rule.closes.of], context) &&
          isOneOf(effect.to, rule.closes.rentTo, context),
        "A token account would be closed that is not this agent's.",
      );
      return;
    case "tokens":
      checkMove(effect, rule.moves, context);
      return;
    case "venue-deposit":
    case "venue-withdrawal":
      // A deletion moves every remaining balance to the owner's wallet, from any account
      insist(
        effect.amount === request.amount || request.intent === "delete",
        "The amount is not what you asked for.",
      );
      return;
    case "trading-key":
      checkTradingKey(effect.tradingKey, request);
      return;
    case "spending-limit":
      insist(effect.tradingKey === tradingKey, "Two different keys would be allowed to trade.");
      return;
    default:
  }
}

/** Throws `Mismatch` unless the effects are exactly those of the intent: none unknown, duplicate or missing. */
export function checkEffects(
  effects: readonly Effect[],
  request: ApprovalRequest,
  terms: ApprovalTerms,
): void {
  const rule = terms.rules[request.intent];
  if (rule === undefined) throw new Mismatch("This page cannot check that kind of transaction.");
  const limit = effects.find((effect) => effect.kind === "spending-limit");
  const context = { request, terms, rule, tradingKey: limit?.tradingKey ?? null };
  for (const effect of effects) {
    insist(rule.may.includes(effect.kind), "The transaction does more than what you asked for.");
    checkEffect(effect, context);
  }
  for (const kind of [...ONCE, ...(rule.once ?? [])]) {
    insist(
      effects.filter((effect) => effect.kind === kind).length <= 1,
      "The transaction does something twice.",
    );
  }
  rule.check?.(effects, request);
}
