import { AppError } from "../../contract/errors.ts";
import {
  type AssistantScope,
  MAX_READ_TOKENS,
  READ_TOKEN_PREFIX,
} from "../../contract/read-tokens.ts";
import type { Clock } from "../../domain/clock.ts";
import type { OwnerAddress } from "../../domain/ids.ts";
import { newId, type RandomBytes } from "../crypto/new-id.ts";
import { type Actor, insertAudit } from "../store/audit/audit.ts";
import type { Db } from "../store/postgres/db.ts";
import { lockWallet } from "../store/chats/chats.ts";
import * as store from "../store/auth/read-tokens.ts";
import { endToken } from "./replace-tokens.ts";
import { hashOf } from "./session-parts.ts";

const DAY_MS = 86_400_000;

const SECRET_BYTES = 32;

/** A new token; its text cannot be read again. */
export interface MadeToken extends store.ReadTokenRow {
  readonly token: string;
}

/** What an owner gives a new token. */
interface NewReadToken {
  readonly name: string;
  readonly days: number;
  readonly scopes: AssistantScope[];
}

/** Makes, lists and ends personal tokens that only read. */
export function createReadTokens(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
}) {
  const { db, clock, random } = deps;
  return {
    async create(by: Actor, { name, days, scopes }: NewReadToken): Promise<MadeToken> {
      const { wallet } = by;
      const now = clock.now();
      const token = READ_TOKEN_PREFIX + Buffer.from(random(SECRET_BYTES)).toString("base64url");
      const id = newId(random);
      const expiresAt = now + days * DAY_MS;
      await db.transaction().execute(async (tx) => {
        await lockWallet(tx, wallet);
        if ((await store.listLiveTokens(tx, wallet, now)).length >= MAX_READ_TOKENS) {
          const message = `A wallet has at most ${MAX_READ_TOKENS} read tokens. Revoke one first.`;
          throw new AppError("quota_exceeded", { message });
        }
        const tokenHash = hashOf(token);
        await store.insertReadToken(tx, {
          id,
          wallet,
          name,
          scopes,
          tokenHash,
          createdAt: now,
          expiresAt,
        });
        await insertAudit(tx, now, by, "read_token_created", id);
      });
      const times = { createdAt: new Date(now), expiresAt: new Date(expiresAt) };
      const unused = { connectedFrom: null, lastUsedAt: null, limitedAt: null };
      return { id, name, scopes, ...times, ...unused, token };
    },
    list: (wallet: OwnerAddress): Promise<readonly store.ReadTokenRow[]> =>
      store.listLiveTokens(db, wallet, clock.now()),
    /** Throws `not_found` for a token that is not the wallet's. */
    async revoke(by: Actor, id: string): Promise<void> {
      if (!(await endToken(db, by, id, clock.now()))) throw new AppError("not_found");
    },
    /** Records that a token used up its owner's calls, of which the owner is told at most once an hour. */
    noteLimited: (id: string): Promise<void> => store.noteLimited(db, id, clock.now()),
    /** Returns a session for the token's wallet that may only read; throws `unauthenticated`. */
    async authenticate(token: string): Promise<store.Reader> {
      const found = await store.useReadToken(db, hashOf(token), clock.now());
      if (found === null) throw new AppError("unauthenticated");
      return found;
    },
  };
}

export type ReadTokens = ReturnType<typeof createReadTokens>;
