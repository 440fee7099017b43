import type { Address } from "@solana/kit";
import type * as z from "zod/mini";
import { AppError } from "../../contract/errors.ts";
import type { preparedTransaction } from "../../contract/tx.ts";
import type { LatestBlockhash } from "../../solana/chain.ts";
import type { LookupTables } from "../../solana/programs/squads-message.ts";
import { newId, type RandomBytes } from "../crypto/new-id.ts";
import { insertPrepared } from "../store/custody/custody.ts";
import type { CustodyContext } from "./account/custody-context.ts";
import { encodeExpectation, type Expectation } from "./account/expectation.ts";
import type { SettleDeps } from "./settle-transaction.ts";

export type Prepared = z.infer<typeof preparedTransaction>;

/** One transaction about to be returned to a wallet. */
interface HandOut extends Pick<Prepared, "step" | "stepCount" | "label" | "costs"> {
  readonly intent: string;
  readonly amount: bigint | null;
  readonly message: Uint8Array;
  readonly tables: LookupTables;
  readonly expects: Expectation;
  readonly recoveredLamports: string;
  readonly lifetime: LatestBlockhash;
}

/**
 * Stores a transaction in place of an earlier unsigned one and returns it in its wire format. Throws
 * `transaction_open`, and `conflict` for an agent that was moved meanwhile.
 */
export async function storePrepared(
  deps: Pick<SettleDeps, "db" | "clock" | "publisher"> & { readonly random: RandomBytes },
  { agent, account, venue }: CustodyContext,
  handOut: HandOut,
): Promise<Prepared> {
  const { intent, step, stepCount, label, amount, message, expects, costs, lifetime } = handOut;
  const id = newId(deps.random);
  const row = {
    id,
    agentId: agent.agentId,
    owner: agent.owner,
    intent,
    step,
    stepCount,
    label,
    amount,
    message,
    expects: encodeExpectation(expects),
    costs: { ...costs, recoveredLamports: handOut.recoveredLamports },
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    blockhashSlot: lifetime.slot,
    preparedAt: new Date(deps.clock.now()),
  };
  const stored = await insertPrepared(deps.db, row, venue.id);
  if (stored === "open") throw new AppError("transaction_open");
  if (stored === "moved") {
    throw new AppError("conflict", {
      message: "The agent was moved to another venue meanwhile. Nothing was prepared.",
    });
  }
  deps.publisher.publish(agent.owner, { topic: "custody", id: agent.agentId });
  return {
    id,
    transaction: Buffer.from(message).toString("base64"),
    tables: Object.entries(handOut.tables).map(([table, addresses]) => ({
      address: table,
      addresses: [...(addresses as readonly Address[])],
    })),
    method: expects.needsCoSigner ? "sign" : "signAndSend",
    label,
    step,
    stepCount,
    network: agent.network,
    multisig: account.multisig,
    vault: account.vault,
    costs,
    lastValidBlockHeight: lifetime.lastValidBlockHeight.toString(),
  };
}
