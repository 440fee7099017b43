import type { Address } from "@solana/kit";
import type { TransactionOutcome } from "../../../solana/chain.ts";
import { parseAddress } from "../../../solana/encoding/address-codec.ts";
import type { ExpectedEffect } from "../../../venues/plan-step.ts";

/** How a transaction is recognised on chain and the effects it must have. */
export interface Expectation {
  readonly effects: readonly ExpectedEffect[];
  /** The account of the vault transaction; at most one landed transaction can have used it. */
  readonly vaultTransaction: Address | null;
  /** The create key signs after the wallet, so the wallet must not send it by itself. */
  readonly needsCoSigner: boolean;
}

/** Returns the account by whose history the landed transaction is found; null where nothing but tokens moves. */
export function searchedAccountOf({ vaultTransaction, effects }: Expectation): Address | null {
  if (vaultTransaction !== null) return vaultTransaction;
  return effects.find((effect) => effect.kind !== "token_delta")?.address ?? null;
}

type Wire = Readonly<Record<string, string>>;

/** Returns the expectation as JSON, with numbers as text. */
export function encodeExpectation(expectation: Expectation): unknown {
  return {
    ...expectation,
    effects: expectation.effects.map((effect) =>
      Object.fromEntries(Object.entries(effect).map(([name, value]) => [name, String(value)])),
    ),
  };
}

/** Parses an expectation written by `encodeExpectation`. Throws on anything else. */
export function decodeExpectation(stored: unknown): Expectation {
  const { effects, vaultTransaction, needsCoSigner } = stored as {
    effects: readonly Wire[];
    vaultTransaction: string | null;
    needsCoSigner: boolean;
  };
  return {
    effects: effects.map(decodeEffect),
    vaultTransaction: vaultTransaction === null ? null : parseAddress(vaultTransaction),
    needsCoSigner,
  };
}

function decodeEffect(wire: Wire): ExpectedEffect {
  const key = (name: string): Address => parseAddress(wire[name] ?? "");
  const amount = (name: string): bigint => BigInt(wire[name] ?? "missing");
  switch (wire["kind"]) {
    case "account_exists":
      return { kind: "account_exists", address: key("address"), programId: key("programId") };
    case "account_gone":
      return { kind: "account_gone", address: key("address") };
    case "bytes_at":
      return {
        kind: "bytes_at",
        address: key("address"),
        offset: Number.parseInt(wire["offset"] ?? "missing", 10),
        hex: wire["hex"] ?? "missing",
      };
    case "lamports_at_least":
      return { kind: "lamports_at_least", address: key("address"), lamports: amount("lamports") };
    case "token_delta":
      return {
        kind: "token_delta",
        account: key("account"),
        mint: key("mint"),
        delta: amount("delta"),
      };
    default:
      throw new Error(`Unknown effect ${wire["kind"]}`);
  }
}

/** Returns whether the landed transaction itself made the expected token movements. */
export function movedTokens(
  outcome: TransactionOutcome,
  effects: readonly ExpectedEffect[],
): boolean {
  return effects.every(
    (effect) =>
      effect.kind !== "token_delta" ||
      outcome.tokenDeltas.some(
        (moved) =>
          moved.account === effect.account &&
          moved.mint === effect.mint &&
          moved.delta === effect.delta,
      ),
  );
}
