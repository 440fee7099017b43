import { createHash, createHmac } from "node:crypto";
import type { Session } from "../session.ts";
import type { askConnection } from "../../contract/connections.ts";
import { AppError } from "../../contract/errors.ts";
import {
  ASSISTANT_SCOPES,
  type AssistantScope,
  CONNECTION_PREFIX,
  MAX_READ_TOKENS,
} from "../../contract/read-tokens.ts";
import type { RequestOf, ResponseOf } from "../../contract/route.ts";
import type { Clock } from "../../domain/clock.ts";
import { newId, type RandomBytes } from "../crypto/new-id.ts";
import type { FetchOutside } from "../notices/post-outside.ts";
import { insertAudit } from "../store/audit/audit.ts";
import * as store from "../store/auth/connections.ts";
import { insertReadToken, listLiveTokens } from "../store/auth/read-tokens.ts";
import { lockWallet } from "../store/chats/chats.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  type Client,
  comparable,
  createFindClient,
  isRedirect,
  OAuthError,
  refused,
  registerClient,
  returnsTo,
} from "./connection-clients.ts";
import { endToken } from "./replace-tokens.ts";
import { hashOf } from "./session-parts.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Time an owner has to decide, a program to exchange its code, and the life of an access token and of a connection. */
const REQUEST_MS = 10 * MINUTE_MS;
const CODE_MS = 2 * MINUTE_MS;
const ACCESS_MS = 60 * MINUTE_MS;
export const CONNECTION_DAYS = 90;

/** Time for which a used code is remembered, so that a second use ends the connection. */
const USED_CODE_MS = DAY_MS;

/** For this long a used refresh token gets the same successor again: two windows renew at once, or an answer was lost. */
const GRACE_MS = MINUTE_MS;

const SECRET_BYTES = 32;

/** A program's secret word (RFC 7636, section 4.1). */
const VERIFIER = /^[\w.~-]{43,128}$/;
const REFRESH_PREFIX = "whf_";

type Asked = RequestOf<typeof askConnection>["body"];

export interface ConnectionDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** What the successors of refresh tokens are computed with. */
  readonly secret: Uint8Array;
  readonly publicUrl: URL;
  readonly fetchOutside: FetchOutside;
}

/** Returns the address that tokens of connections are for. */
export const resourceOf = (publicUrl: URL): string => new URL("/mcp", publicUrl).href;

/** Returns whether a program asks for that address, or for none, with or without a slash at its end. */
export const isResource = (asked: string | null | undefined, publicUrl: URL): boolean =>
  (asked ?? resourceOf(publicUrl)).replace(/\/$/, "") === resourceOf(publicUrl);

interface Parts extends ConnectionDeps {
  readonly findClient: (id: string) => Promise<Client>;
}

const secret = (random: RandomBytes, prefix: string): string =>
  prefix + Buffer.from(random(SECRET_BYTES)).toString("base64url");

/** Gives a connection its tokens and returns them as RFC 6749 has them. */
const issued = (
  { access, refresh, hashes }: ReturnType<typeof newTokens>,
  scopes: readonly AssistantScope[],
  now: number,
) => ({
  access_token: access,
  token_type: "Bearer",
  expires_in: Math.floor((hashes.accessUntil - now) / 1_000),
  refresh_token: refresh,
  scope: scopes.join(" "),
});

/** Returns the program's address with an answer, and with who answers (RFC 9207). */
function answered(
  publicUrl: URL,
  { redirectUri, state }: Pick<store.RequestRow, "redirectUri" | "state">,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  const parts = { ...answer, iss: publicUrl.origin, ...(state === null ? {} : { state }) };
  for (const [key, value] of Object.entries(parts)) url.searchParams.set(key, value);
  return url.href;
}

/** Checks what an assistant asks for and keeps it for the owner's answer. */
async function ask(
  deps: Parts,
  { id: madeBy, wallet }: Session,
  asked: Asked,
): Promise<ResponseOf<typeof askConnection>> {
  const { db, clock, random, publicUrl, findClient } = deps;
  const { clientId = "", redirectUri = "", codeChallenge = "", state } = asked;
  const client = await findClient(clientId);
  // Nobody is sent to an address that is not the program's own
  const isKnown =
    isRedirect(redirectUri) &&
    client.redirectUris.some((each) => comparable(each) === comparable(redirectUri));
  if (!isKnown)
    throw refused("The assistant's address to return to is not one that it registered.");
  if (asked.responseType !== "code")
    throw refused("The assistant asks for something else than a code.");
  if (asked.codeChallengeMethod !== "S256" || !/^[\w-]{43}$/.test(codeChallenge)) {
    throw refused("The assistant does not protect its code (PKCE with S256).");
  }
  if (!isResource(asked.resource, publicUrl)) {
    throw refused("The assistant asks for access to another server.");
  }
  const wanted = (asked.scope ?? "read simulate").split(" ").filter((each) => each !== "");
  const scopes = ASSISTANT_SCOPES.filter((each) => wanted.includes(each));
  if (scopes.length === 0) throw refused("The assistant asks for nothing that it could be given.");
  const now = clock.now();
  const row = {
    id: newId(random),
    wallet,
    clientId,
    clientName: client.name,
    redirectUri,
    challenge: codeChallenge,
    scopes,
    state: state ?? null,
    expiresAt: new Date(now + REQUEST_MS),
    madeBy,
  };
  await store.insertRequest(db, row, now);
  const { describedBy } = client;
  return {
    id: row.id,
    name: client.name,
    returnsTo: returnsTo(redirectUri),
    ...(describedBy === undefined ? {} : { describedBy }),
    scopes,
    expiresAt: row.expiresAt.toISOString(),
    declineTo: answered(publicUrl, row, { error: "access_denied" }),
  };
}

/** Answers a request with a code, which the owner's wallet has signed for; returns where to send the owner. */
async function approve(
  deps: Parts,
  { id: madeBy, wallet }: Session,
  id: string,
  wanted: readonly AssistantScope[],
): Promise<string> {
  const { db, clock, random, publicUrl } = deps;
  const now = clock.now();
  const code = secret(random, "whc_");
  return db.transaction().execute(async (tx) => {
    await lockWallet(tx, wallet);
    const row = await store.findRequest(tx, wallet, id, now);
    if (row === null)
      throw new AppError("conflict", { message: "This request has ended. Connect anew." });
    const scopes = row.scopes.filter((each) => wanted.includes(each));
    if (scopes.length === 0) throw refused("An assistant that may do nothing cannot be connected.");
    if ((await listLiveTokens(tx, wallet, now)).length >= MAX_READ_TOKENS) {
      const message = `A wallet has at most ${MAX_READ_TOKENS} tokens and connected assistants. Revoke one first.`;
      throw new AppError("quota_exceeded", { message });
    }
    await store.setCode(tx, id, { hash: hashOf(code), madeBy, scopes, expiresAt: now + CODE_MS });
    return answered(publicUrl, row, { code });
  });
}

/**
 * Returns tokens of a connection, and what is stored of them. They are computed from what they succeed, not stored, so
 * that they can be given once more.
 */
function newTokens({ secret: key }: Parts, from: string, now: number) {
  const [access, refresh] = [CONNECTION_PREFIX, REFRESH_PREFIX].map(
    (prefix) =>
      prefix + createHmac("sha256", key).update(`${prefix} of ${from}`).digest("base64url"),
  ) as [string, string];
  const hashes = { access: hashOf(access), accessUntil: now + ACCESS_MS, refresh: hashOf(refresh) };
  return { access, refresh, hashes };
}

/** Exchanges a code for tokens, once; a second use ends what the first began. */
async function exchange(deps: Parts, form: URLSearchParams) {
  const { db, clock, random } = deps;
  const now = clock.now();
  const invalid = new OAuthError("invalid_grant", "The code is unknown, used or too old.");
  const outcome = await db.transaction().execute(async (tx) => {
    const row = await store.lockCode(tx, hashOf(form.get("code") ?? ""));
    if (row === null) throw invalid;
    if (row.tokenId !== null) {
      await endToken(tx, { wallet: row.wallet }, row.tokenId, now);
      return null;
    }
    const word = form.get("code_verifier") ?? "";
    const verifier = createHash("sha256").update(word).digest("base64url");
    const isOwn =
      form.get("client_id") === row.clientId && VERIFIER.test(word) && verifier === row.challenge;
    const isThere = (form.get("redirect_uri") ?? row.redirectUri) === row.redirectUri;
    if (!isOwn || !isThere || row.expiresAt.getTime() <= now) throw invalid;
    const tokens = newTokens(deps, secret(random, ""), now);
    const { hashes } = tokens;
    const id = newId(random);
    await insertReadToken(tx, {
      id,
      wallet: row.wallet,
      name: row.clientName,
      scopes: row.scopes,
      tokenHash: hashes.access,
      createdAt: now,
      expiresAt: now + CONNECTION_DAYS * DAY_MS,
      client: {
        id: row.clientId,
        from: returnsTo(row.redirectUri),
        accessUntil: hashes.accessUntil,
      },
    });
    await store.renewConnection(tx, id, hashes, now);
    await store.useCode(tx, row.id, id, now + USED_CODE_MS);
    const detail = { client: row.clientId, name: row.clientName, scopes: row.scopes };
    await insertAudit(tx, now, row.wallet, "assistant_connected", id, detail);
    return issued(tokens, row.scopes, now);
  });
  if (outcome === null) throw invalid;
  return outcome;
}

/**
 * Renews the tokens of a connection. A refresh token that was used before gets the same ones for a minute; after that it
 * ends the connection, because somebody copied it.
 */
async function renew(deps: Parts, form: URLSearchParams) {
  const { db, clock } = deps;
  const now = clock.now();
  const token = form.get("refresh_token") ?? "";
  const invalid = new OAuthError("invalid_grant", "The refresh token is unknown, used or ended.");
  const outcome = await db.transaction().execute(async (tx) => {
    const row = await store.lockConnection(tx, hashOf(token));
    if (row === null || row.clientId !== form.get("client_id")) throw invalid;
    if (row.isRevoked || row.expiresAt.getTime() <= now) throw invalid;
    const renewedAt = row.replacedAt?.getTime() ?? now;
    if (now - renewedAt > GRACE_MS) {
      await endToken(tx, { wallet: row.wallet }, row.id, now);
      return null;
    }
    const wanted = (form.get("scope") ?? row.scopes.join(" ")).split(" ");
    if (!wanted.every((each) => row.scopes.some((scope) => scope === each))) {
      throw new OAuthError("invalid_scope", "More was asked for than the owner gave.");
    }
    // A connection has one set of scopes; a token of fewer would be said and not be true
    if (!row.scopes.every((each) => wanted.includes(each))) {
      throw new OAuthError("invalid_scope", "Tokens of a connection have all that the owner gave.");
    }
    const tokens = newTokens(deps, token, renewedAt);
    if (row.replacedAt === null) await store.renewConnection(tx, row.id, tokens.hashes, now);
    return issued(tokens, row.scopes, now);
  });
  if (outcome === null) throw invalid;
  return outcome;
}

/** Ends the connection of an access or refresh token (RFC 7009); an unknown one is none. */
async function revoke(deps: Parts, form: URLSearchParams): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const hash = hashOf(form.get("token") ?? "");
  await db.transaction().execute(async (tx) => {
    const row = (await store.findConnection(tx, hash)) ?? (await store.lockConnection(tx, hash));
    if (row !== null) await endToken(tx, { wallet: row.wallet }, row.id, now);
  });
}

/** Lets assistants sign in by OAuth 2.1: what they ask for, what an owner answers, and their tokens. */
export function createConnections(deps: ConnectionDeps) {
  const parts: Parts = { ...deps, findClient: createFindClient(deps) };
  return {
    register: (sent: unknown) => registerClient(deps, sent),
    ask: (session: Session, asked: Asked) => ask(parts, session, asked),
    approve: (session: Session, id: string, wanted: readonly AssistantScope[]) =>
      approve(parts, session, id, wanted),
    exchange: (form: URLSearchParams) => exchange(parts, form),
    renew: (form: URLSearchParams) => renew(parts, form),
    revoke: (form: URLSearchParams) => revoke(parts, form),
  };
}

export type Connections = ReturnType<typeof createConnections>;
