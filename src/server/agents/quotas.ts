import { AppError } from "../../contract/errors.ts";
import type { OwnerAddress } from "../../domain/ids.ts";
import type { Db } from "../store/postgres/db.ts";
import { countMessageBytes, countOwned } from "../store/chats/chats.ts";

/** Largest number of chats per wallet. */
export const MAX_CHATS = 1_000;

/** Largest number of agents per wallet. */
export const MAX_AGENTS = 200;

/** Largest total size of a wallet's messages, in UTF-8 bytes. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Throws when the wallet now has too many chats; called after the insertion, with `lockWallet` called before it. */
export async function refuseTooManyChats(tx: Db, wallet: OwnerAddress): Promise<void> {
  if ((await countOwned(tx, "chats", wallet)) <= MAX_CHATS) return;
  throw exceeded(`A wallet keeps at most ${MAX_CHATS} chats. Delete one first.`);
}

/** Throws when the wallet now has too many agents; called as for chats. */
export async function refuseTooManyAgents(tx: Db, wallet: OwnerAddress): Promise<void> {
  if ((await countOwned(tx, "agents", wallet)) <= MAX_AGENTS) return;
  throw exceeded(`A wallet has at most ${MAX_AGENTS} agents. Delete one first.`);
}

/** Throws when the wallet's messages now have too many bytes; called as for chats. */
export async function refuseTooManyBytes(tx: Db, wallet: OwnerAddress): Promise<void> {
  if ((await countMessageBytes(tx, wallet)) <= MAX_MESSAGE_BYTES) return;
  const megabytes = MAX_MESSAGE_BYTES / 1024 / 1024;
  throw exceeded(`A wallet keeps at most ${megabytes} MB of messages. Delete a chat first.`);
}

function exceeded(message: string): AppError {
  return new AppError("quota_exceeded", { message });
}
