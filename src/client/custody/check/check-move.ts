import type { Address } from "@solana/kit";
import { associatedTokenAddress } from "../../../solana/programs/associated-token.ts";
import type { Effect } from "../../../venues/effect.ts";
import { insist } from "../../../venues/mismatch.ts";
import type {
  ApprovalRequest,
  ApprovalTerms,
  MoveRule,
  NamedToken,
} from "../../../venues/venue-approval.ts";

const OTHER_TOKEN = "Another token would move than the one you asked for.";

function movable(
  { token }: MoveRule,
  { moved }: ApprovalRequest,
  { quote, assets }: ApprovalTerms,
): readonly NamedToken[] {
  switch (token) {
    case "quote":
      return [quote];
    case "asset":
      return assets.filter(({ symbol }) => moved === null || symbol === moved);
    case "any":
      return [quote, ...assets];
  }
}

/** Throws `Mismatch` unless a transfer has the intent's token, source, destination and amount. */
export function checkMove(
  effect: Extract<Effect, { kind: "tokens" }>,
  rule: MoveRule | undefined,
  { request, terms }: { readonly request: ApprovalRequest; readonly terms: ApprovalTerms },
): void {
  const token = rule && movable(rule, request, terms).find(({ mint }) => mint === effect.mint);
  insist(rule !== undefined && token !== undefined, OTHER_TOKEN);
  const { wallet, vault } = request;
  const isDeposit = rule.from === "wallet";
  // A deposit must name its mint; for a withdrawal both token accounts determine the mint
  insist(effect.namesMint || !isDeposit, OTHER_TOKEN);
  const accountOf = (owner: Address): Address =>
    associatedTokenAddress(owner, token.mint, token.tokenProgram);
  const [source, target] = isDeposit ? [wallet, vault] : [vault, wallet];
  insist(
    effect.from === accountOf(source) && effect.to === accountOf(target),
    isDeposit
      ? "The money would go somewhere else than this agent's vault."
      : "The money would go somewhere else than your wallet.",
  );
  insist(
    rule.amount === "any" || effect.amount === request.amount,
    "The amount is not what you asked for.",
  );
}
