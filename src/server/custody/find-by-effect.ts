import { parseAddress } from "../../solana/parse-address.ts";
import type { TransactionOutcome } from "../../solana/chain.ts";
import { type CustodyRow, listRecordedSignatures } from "../store/custody/custody.ts";
import type { ChainRound } from "./chain-round.ts";
import { movedTokens, stateShows } from "./landed-effects.ts";
import type { Expectation } from "./account/expectation.ts";
import { isSignedOver } from "./is-signed-over.ts";
import type { SettleDeps } from "./settle-transaction.ts";

/**
 * Finds a landed transaction that a wallet modified before sending, when nobody reported its signature and it uses no
 * account that only ours can use.
 *
 * A match is a successful transaction of the owner that belongs to no other row, while the chain shows the expected
 * effects: a plan contains only effects the chain did not show when it was made. `users` are the landed transactions of
 * an account that ours changes, newest first.
 */
export async function findByEffect(
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
