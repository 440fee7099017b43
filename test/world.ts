import { randomBytes } from "node:crypto";
import type { Blockhash } from "@solana/kit";
import type { OwnerAddress } from "../src/domain/ids.ts";
import { encodeExpectation } from "../src/server/custody/account/expectation.ts";
import { parseAddress } from "../src/solana/encoding/address-codec.ts";
import { SYSTEM_PROGRAM } from "../src/solana/programs/system.ts";
import { compileTransaction } from "../src/solana/transaction.ts";
import { buildCompleteDraft } from "./drafts.ts";
import type { TestServer } from "./server.ts";
import type { SignedIn } from "./wallet.ts";

/** One id of every kind of guarded object. */
export interface ObjectIds {
  readonly wallet: OwnerAddress;
  readonly chat: string;
  readonly agent: string;
  readonly message: string;
  readonly rule: string;
  readonly tradeLogEntry: string;
  readonly transaction: string;
  /** Names an alert of the agent. */
  readonly alertName: string;
}

export function newTestId(): string {
  return randomBytes(16).toString("hex");
}

/** A transaction as it is handed to a wallet, which does nothing but pay its fee. */
function unsignedOf(owner: OwnerAddress): Uint8Array {
  return compileTransaction({
    feePayer: parseAddress(owner),
    lifetime: { blockhash: SYSTEM_PROGRAM as string as Blockhash, lastValidBlockHeight: 1n },
    instructions: [],
  });
}

/** Gives a wallet one object of every kind, through the calls where calls make them. */
export async function seedObjects(server: TestServer, wallet: SignedIn): Promise<ObjectIds> {
  const answer = await server.send("POST", "/api/agents/create-complete-agent", {
    token: wallet.token,
    body: buildCompleteDraft(),
  });
  if (answer.status !== 201) throw new Error(`No agent: ${answer.text}`);
  const { botId: agent, chatId: chat } = answer.body.agent;
  const [tradeLogEntry, transaction, message] = [newTestId(), newTestId(), newTestId()];
  const at = new Date(server.clock.now());
  await server.deps.db
    .insertInto("trade_log")
    .values({
      id: tradeLogEntry,
      agent_id: agent,
      chat_id: chat,
      market: "SOL-PERP",
      signal: "OPEN_LONG",
      type: "market",
      side: "long",
      status: "success",
      reason: null,
      base_size: "1500000000",
      base_decimals: 9,
      percentage: 100,
      quote_total: "210000000",
      quote_decimals: 6,
      price: "140000000",
      fee: "105000",
      event_id: null,
      order_id: null,
      signature: null,
      at,
    })
    .execute();
  await server.deps.db
    .insertInto("custody_transactions")
    .values({
      id: transaction,
      agent_id: agent,
      owner: wallet.address,
      intent: "set-up",
      step: 1,
      step_count: 3,
      label: "Create the multisig",
      state: "prepared",
      reason: null,
      amount: null,
      message: Buffer.from(unsignedOf(wallet.address)),
      transaction: null,
      signature: null,
      expects: JSON.stringify(
        encodeExpectation({ effects: [], vaultTransaction: null, needsCoSigner: false }),
      ),
      costs: JSON.stringify({}),
      last_valid_block_height: "1",
      prepared_at: at,
      sent_at: null,
      settled_at: null,
    })
    .execute();
  await server.deps.db
    .insertInto("messages")
    .values({ chat_id: chat, id: message, type: "user", content: "What moves SOL?", sent_at: at })
    .execute();
  return {
    wallet: wallet.address,
    chat,
    agent,
    message,
    rule: answer.body.rules[0]._id,
    tradeLogEntry,
    transaction,
    alertName: "breakout",
  };
}
