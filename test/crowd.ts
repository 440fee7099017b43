import type { AgentId } from "../src/domain/ids.ts";
import type { TestDatabase } from "./database.ts";
import { type CustodyWorld, createCustodyWorld, SOL, USDC } from "./custody-world.ts";
import { signatureOf, signTransaction } from "../src/solana/signing.ts";

/** World of one owner with many agents on the practice chain, each set up, funded and delegated. */
export interface Crowd extends CustodyWorld {
  readonly agentIds: readonly AgentId[];
}

/** Creates the owner's agents one after another, as the page does. */
export async function createCrowd(database: TestDatabase, count: number): Promise<Crowd> {
  const world = await createCustodyWorld(database, {
    lamports: BigInt(count) * 10n * SOL,
    quoteUnits: BigInt(count) * 100n * USDC,
  });
  const agentIds = [world.agentId];
  while (agentIds.length < count) agentIds.push(await world.addAgent(world.owner.address));
  for (const agentId of agentIds) {
    await approve(world, agentId, "set-up");
    await approve(world, agentId, "set-up");
    await approve(world, agentId, "deposit", "50");
  }
  return Object.assign(Object.create(world) as CustodyWorld, { agentIds });
}

async function approve(
  { custody, chain, owner }: CustodyWorld,
  agentId: AgentId,
  intent: "set-up" | "deposit",
  amount?: string,
): Promise<void> {
  const prepared = await custody.prepare({ agentId, intent, amount });
  if (prepared === null) throw new Error("Nothing is left to sign");
  const bytes = Uint8Array.from(Buffer.from(prepared.transaction, "base64"));
  const signed = signTransaction(bytes, owner);
  if (prepared.method === "sign") await custody.acceptSigned(prepared.id, signed);
  else {
    await chain.send(signed);
    await custody.acceptSent(prepared.id, signatureOf(signed));
  }
}
