import { createAssociatedTokenIdempotent } from "../../solana/programs/associated-token.ts";
import { closeTokenAccount, transferChecked } from "../../solana/programs/token.ts";
import { type PlanStep, planStep } from "../plan-step.ts";
import type { VenueAccount } from "../venue.ts";
import { type JupiterInstance, type SpotToken, quoteToken, tokenAccountOf } from "./instance.ts";
import { limitAddress, removeLimit } from "./spending-limits.ts";
import type { VaultReading } from "./vault-reader.ts";

/** Compute unit limit of a transfer out of the vault; 118,221 measured with opening the owner's account. */
const TRANSFER_COMPUTE_UNITS = 300_000;

/** Largest number of tokens one step can remove while leaving space for a wallet's own assertions. */
const TOKENS_PER_STEP = 2;

const step = (label: string, parts: Partial<PlanStep>): PlanStep =>
  planStep(label, TRANSFER_COMPUTE_UNITS, parts);

/**
 * Returns the step that moves quote tokens from the owner's wallet to the vault.
 *
 * The vault's part changes nothing when its account is open, but it uses the multisig's next index: of several deposits
 * prepared for one index only one can land, and the index identifies it.
 */
export function planDepositFrom(
  instance: JupiterInstance,
  account: VenueAccount,
  amount: bigint,
): PlanStep {
  const token = quoteToken(instance);
  const { owner, vault } = account;
  const { mint, decimals, tokenProgram } = token;
  const [source, destination] = [tokenAccountOf(owner, token), tokenAccountOf(vault, token)];
  return step(`Deposit ${instance.quote.symbol}`, {
    before: [createAssociatedTokenIdempotent({ payer: owner, owner: vault, mint, tokenProgram })],
    asVault: [createAssociatedTokenIdempotent({ payer: vault, owner: vault, mint, tokenProgram })],
    after: [
      transferChecked(
        { source, mint, destination, authority: owner, tokenProgram },
        { amount, decimals },
      ),
    ],
    expects: [
      { kind: "token_delta", account: source, mint, delta: -amount },
      { kind: "token_delta", account: destination, mint, delta: amount },
    ],
  });
}

function planTokenOut(
  label: string,
  account: VenueAccount,
  token: SpotToken,
  amount: bigint,
): PlanStep {
  const { owner, vault } = account;
  const { mint, decimals, tokenProgram } = token;
  const [source, destination] = [tokenAccountOf(vault, token), tokenAccountOf(owner, token)];
  return step(label, {
    before: [createAssociatedTokenIdempotent({ payer: owner, owner, mint, tokenProgram })],
    asVault: [
      transferChecked(
        { source, mint, destination, authority: vault, tokenProgram },
        { amount, decimals },
      ),
    ],
    expects: [
      { kind: "token_delta", account: destination, mint, delta: amount },
      { kind: "token_delta", account: source, mint, delta: -amount },
    ],
  });
}

/** Returns the step that moves quote tokens from the vault to the owner's wallet. */
export function planWithdrawFrom(
  instance: JupiterInstance,
  account: VenueAccount,
  amount: bigint,
): PlanStep {
  return planTokenOut(`Withdraw ${instance.quote.symbol}`, account, quoteToken(instance), amount);
}

/**
 * Returns the steps that move every asset to the owner's wallet unsold, one per asset held.
 *
 * This exit works without a buyer: it needs no router, no route and no price.
 */
export function planHandOverFrom(
  account: VenueAccount,
  reading: VaultReading,
): readonly PlanStep[] {
  return reading.assets.flatMap(({ asset, held }) =>
    held === null || held === 0n
      ? []
      : [planTokenOut(`Move ${asset.marketId} to your wallet`, account, asset, held)],
  );
}

/** Returns a step without instructions. */
export function emptyStep(label: string): PlanStep {
  return step(label, {});
}

/** Returns the step that removes every spending limit; afterwards the trading key can move nothing. */
export function planRevokeFrom(
  instance: JupiterInstance,
  account: VenueAccount,
  reading: VaultReading,
): PlanStep {
  const mints = [
    ...(reading.quote.limit === null ? [] : [instance.quote.mint]),
    ...reading.assets.flatMap(({ asset, limit }) => (limit === null ? [] : [asset.mint])),
  ];
  return step("Revoke the trading key", {
    before: mints.map((mint) => removeLimit(account, mint)),
    expects: mints.map((mint) => ({
      kind: "account_gone" as const,
      address: limitAddress(account, mint),
    })),
  });
}

/** Returns the steps that remove the spending limits and close the vault's token accounts once they are empty. */
export function planRemovalFrom(
  instance: JupiterInstance,
  account: VenueAccount,
  reading: VaultReading,
): readonly PlanStep[] {
  const { owner, vault } = account;
  const tokens = [
    { token: quoteToken(instance), ...reading.quote },
    ...reading.assets.map(({ asset, ...rest }) => ({ token: asset as SpotToken, ...rest })),
  ].filter(({ held, limit }) => held !== null || limit !== null);
  return Array.from({ length: Math.ceil(tokens.length / TOKENS_PER_STEP) }, (_, page) => {
    const some = tokens.slice(page * TOKENS_PER_STEP, (page + 1) * TOKENS_PER_STEP);
    const limited = some.filter(({ limit }) => limit !== null);
    const open = some.filter(({ held }) => held !== null);
    return step("Remove the spending limits and close the token accounts", {
      before: limited.map(({ token }) => removeLimit(account, token.mint)),
      asVault: open.map(({ token }) =>
        closeTokenAccount({
          account: tokenAccountOf(vault, token),
          destination: owner,
          authority: vault,
          tokenProgram: token.tokenProgram,
        }),
      ),
      expects: [
        ...limited.map(({ token }) => ({
          kind: "account_gone" as const,
          address: limitAddress(account, token.mint),
        })),
        ...open.map(({ token }) => ({
          kind: "account_gone" as const,
          address: tokenAccountOf(vault, token),
        })),
      ],
    });
  });
}
