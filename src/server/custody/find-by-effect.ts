import { parseAddress } from "../../solana/parse-address.ts";
import type { TransactionOutcome } from "../../solana/chain.ts";
import { type CustodyRow, listRecordedSignatures } from "../store/custody/custody.ts";
import type { ChainRound } from "./chain-round.ts";
import { movedTokens, stateShows } from "./landed-effects.ts";
import type { Expectation } from "./account/expectation.ts";
import { isSignedOver } from "./is-signed-over.ts";
import type { SettleDeps } from "./settle-transaction.ts";

/**
 * Finds the transaction a wallet made of ours by adding to it, when nobody reported it and no account is used up by it.
 *
 * It is one the owner took part in, that is no other row's, while the chain shows what ours was to bring about: plans
 * hold only what the chain did not show yet when they were made. `users` are the landed transactions of an account ours
 * changes, newest first.
 */
export async function findByEffect(
  { db }: Pick<SettleDeps, "db">,
  row: CustodyRow,
  round: ChainRound,
  { effects, needsCoSigner }: Expectation,
  users: readonly TransactionOutcome[],
): Promise<TransactionOutcome | undefined> {
  // An account may have existed before; bytes and an absence are ours alone
  const isTelling = effects.some(({ kind }) => kind === "bytes_at" || kind === "account_gone");
  // What we co-sign is stored before it is sent
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
