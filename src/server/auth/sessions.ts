import { decodeBase58 } from "../../domain/base58.ts";
import type { OwnerAddress } from "../../domain/ids.ts";
import { type OwnerText, ownerText } from "../../domain/owner-text.ts";
import { openSessions, SESSION_MS } from "./open-session.ts";
import {
  bearerOf,
  hashOf,
  refused,
  IDLE_MS,
  type IssuedTokens,
  type SessionsDeps,
} from "./session-parts.ts";
import type { Session } from "../session.ts";
import { MAX_CHANGES } from "../../contract/auth.ts";
import { insertAudit, listChangesBySession } from "../store/audit/audit.ts";
import { insertSignedFact, type SignedFact } from "../store/agents/owner-facts.ts";
import * as store from "../store/auth/sessions.ts";
import { type Asked, type AskedChange, changeToConfirm } from "./change-to-confirm.ts";
import { endTokensOf } from "./replace-tokens.ts";
import { createAccessTokens, type AccessTokens } from "./access-token.ts";
import {
  createChallenge,
  isNonceLive,
  NONCE_MS,
  createNonceSeal,
  type NonceSeal,
} from "./sign-in.ts";
import { createHmac } from "node:crypto";
import { AppError } from "../../contract/errors.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Db } from "../store/postgres/db.ts";
import { useNonce } from "../store/auth/sessions.ts";
import { isTextSignedBy } from "./wallet-key.ts";

const PURPOSE = "confirm";

interface ConfirmDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly nonces: NonceSeal;
  readonly publicUrl: URL;
}

type Call = Pick<Asked, "route" | "parts">;

/**
 * Returns the session of a call that needs no signature, or that the session's wallet signed for; one signature is for
 * one call, made once.
 *
 * Otherwise throws `confirmation_needed` with the text to sign. The proof is a nonce and a signature, separated by a
 * space.
 */
async function confirmCall(
  deps: ConfirmDeps,
  session: Session,
  call: Call,
  proof: string | undefined,
): Promise<Session> {
  const now = deps.clock.now();
  const askedIn = (db: Db) => changeToConfirm({ ...call, db, wallet: session.wallet, now });
  const asked = await askedIn(deps.db);
  const signed =
    asked === null || proof === undefined
      ? null
      : await recordProof(deps, session, asked, proof, now);
  if (asked !== null && signed === null) {
    const nonce = deps.nonces.seal(purposeOf(session, asked), now);
    const message = ownerText(partsOf(deps, session, asked, nonce, now));
    throw new AppError("confirmation_needed", { confirm: { nonce, message } });
  }
  const judgeAgain = async (tx: Db) => {
    if (JSON.stringify(await askedIn(tx)) !== JSON.stringify(asked)) {
      throw new AppError("agent_changed");
    }
    // With the change itself, so that the signer never sees one without the other
    if (signed?.fact != null) await insertSignedFact(tx, signed.fact, now).catch(sayDayIsFull);
  };
  return { ...session, judgeAgain };
}

const PROGRAM_LIMIT_EXCEEDED = "54000";

/** Throws an error of a signed change, in the owner's words where the agent has a day's number of them. */
function sayDayIsFull(error: { readonly code?: string }): never {
  if (error.code !== PROGRAM_LIMIT_EXCEEDED) throw error;
  throw new AppError("quota_exceeded", {
    message: "A hundred changes of this agent were signed within a day. Turning it off needs none.",
  });
}

/** Records a proof that is valid, fresh and unused, and returns what it pins; any other is null and changes nothing. */
async function recordProof(
  deps: ConfirmDeps,
  session: Session,
  asked: AskedChange,
  proof: string,
  now: number,
): Promise<{ readonly fact: SignedFact | null } | null> {
  const { db, nonces } = deps;
  const { wallet } = session;
  const [nonce = "", signature = ""] = proof.split(" ");
  const issuedAt = nonces.open(purposeOf(session, asked), nonce);
  if (issuedAt === null || !isNonceLive(issuedAt, now)) return null;
  const parts = partsOf(deps, session, asked, nonce, issuedAt);
  const text = ownerText(parts);
  if (!isTextSignedBy(wallet, { text, host: parts.host }, signature)) return null;
  const isFirst = await db.transaction().execute(async (tx) => {
    if (!(await useNonce(tx, nonce, issuedAt + NONCE_MS))) return false;
    await insertAudit(tx, now, wallet, "change_confirmed", session.id, { change: asked.change });
    return true;
  });
  if (!isFirst) return null;
  const { pinned } = parts;
  const bytes = decodeBase58(signature, 64);
  const isFact = pinned !== null && bytes !== null;
  return { fact: isFact ? { wallet, text, signature: bytes, parts: { ...parts, pinned } } : null };
}

/** Includes the session, so that a signature made in one session confirms nothing in another. */
function purposeOf(session: Session, { change }: AskedChange): string[] {
  return [PURPOSE, session.id, session.wallet, change];
}

function partsOf(
  { publicUrl: { host, origin } }: ConfirmDeps,
  { wallet }: Session,
  { change, pinned }: AskedChange,
  nonce: string,
  issuedAt: number,
): OwnerText {
  const expiresAt = issuedAt + NONCE_MS;
  return { host, origin, wallet, change, nonce, issuedAt, expiresAt, pinned };
}

/** For this long the refresh token just replaced still gets its successor, for tabs that refresh at the same time. */
const GRACE_MS = 10_000;

/** Returns what renews the tokens of a session. A reused refresh token ends it; every refusal throws `unauthenticated`. */
function refreshSessions(
  deps: SessionsDeps,
  accessTokens: AccessTokens,
): (authorization: readonly string[], refreshToken: string | undefined) => Promise<IssuedTokens> {
  const { db, clock } = deps;

  // The successor is computed, not stored, so that a raced refresh can be given the same one again
  const successorOf = (refreshToken: string) =>
    createHmac("sha256", deps.secret)
      .update(`refresh successor ${refreshToken}`)
      .digest("base64url");

  return async (authorization, refreshToken) => {
    const token = bearerOf(authorization);
    const claims = token && (await accessTokens.verify(token, { allowExpired: true }));
    if (!claims || refreshToken === undefined) throw refused();
    const now = clock.now();
    const successor = successorOf(refreshToken);
    // A reuse has to stay recorded, so the transaction returns it instead of throwing
    const outcome = await db.transaction().execute(async (tx) => {
      const row = await store.lockRefreshToken(tx, hashOf(refreshToken));
      if (row === null || row.sessionId !== claims.sessionId || row.isRevoked) return "refused";
      if (row.expiresAt <= now || row.lastUsedAt + IDLE_MS <= now) return "refused";
      if (row.replacedAt === null) {
        await store.replaceRefreshToken(tx, {
          tokenHash: hashOf(refreshToken),
          successorHash: hashOf(successor),
          sessionId: row.sessionId,
          now,
        });
        return "rotated";
      }
      if (now - row.replacedAt <= GRACE_MS && !row.isSuccessorReplaced) return "rotated";
      await store.revokeSession(tx, row.sessionId, now);
      await insertAudit(tx, now, row.wallet, "refresh_reuse", row.sessionId);
      return "refused";
    });
    if (outcome === "refused") throw refused();
    const accessToken = await accessTokens.issue(claims.sessionId, claims.wallet);
    return { accessToken, refreshToken: successor };
  };
}

interface OpenSession extends Omit<store.SessionRow, "id"> {
  readonly isCurrent: boolean;
}

interface Authenticated {
  readonly session: Session;
  /** When the bearer token ends, milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Opens, checks, renews and ends sessions. Every refusal is the same `unauthenticated`. */
export function createSessions(deps: SessionsDeps) {
  const { db, clock } = deps;
  const accessTokens = createAccessTokens(deps);
  const signing = { ...deps, nonces: createNonceSeal(deps.secret, deps.random) };

  return {
    /** Returns the message the wallet has to sign; stores nothing. */
    challenge: (wallet: OwnerAddress) => createChallenge(signing, wallet),

    refresh: refreshSessions(deps, accessTokens),

    /** Throws `rate_limited` too; a wallet with a chat is not counted with others of its address. */
    signIn: openSessions(deps, signing, accessTokens),

    /** Takes every Authorization header of the request; more than one is refused. */
    async authenticate(authorization: readonly string[]): Promise<Authenticated> {
      const token = bearerOf(authorization);
      const claims = token === null ? null : await accessTokens.verify(token);
      if (claims === null) throw refused();
      const { sessionId, wallet, expiresAt } = claims;
      if (!(await store.isSessionLive(db, sessionId, wallet, clock.now()))) throw refused();
      return { session: { id: sessionId, wallet }, expiresAt };
    },

    /** Returns the session a bearer token names, ended or not; null for a token that is not valid. Asks no database. */
    async named(
      authorization: readonly string[],
      options: { readonly allowExpired: boolean },
    ): Promise<Session | null> {
      const token = bearerOf(authorization);
      const claims = token === null ? null : await accessTokens.verify(token, options);
      return claims === null ? null : { id: claims.sessionId, wallet: claims.wallet };
    },

    /** Ends the session of the bearer token or the cookie; null when neither names one. */
    async logOut(
      authorization: readonly string[],
      refreshToken: string | undefined,
    ): Promise<Session | null> {
      const token = bearerOf(authorization);
      const claims = token && (await accessTokens.verify(token, { allowExpired: true }));
      const session = claims
        ? { id: claims.sessionId, wallet: claims.wallet }
        : refreshToken && (await store.findSessionByRefreshToken(db, hashOf(refreshToken)));
      if (!session) return null;
      const now = clock.now();
      if (await store.revokeSession(db, session.id, now)) {
        await insertAudit(db, now, session.wallet, "signed_out", session.id);
      }
      return session;
    },

    /** The open sessions of the session's wallet, last used first. */
    async list({ id: current, wallet }: Session): Promise<readonly OpenSession[]> {
      const now = clock.now();
      const rows = await store.listSessionsOf(db, wallet, { now, usedAfter: now - IDLE_MS });
      return rows.map(({ id, ...row }) => ({ ...row, isCurrent: id === current }));
    },

    /**
     * Ends every session of the session's wallet, on request its other tokens too; answers with the sessions' ids and with
     * what sessions and tokens changed as long ago as a session lives, those that ended before too.
     */
    async endAll(session: Session, replaceTokens: boolean) {
      const { wallet } = session;
      const now = clock.now();
      return db.transaction().execute(async (tx) => {
        const since = new Date(now - SESSION_MS);
        const changes = await listChangesBySession(tx, session, { since, limit: MAX_CHANGES });
        await endTokensOf(tx, { wallet }, now, replaceTokens);
        const ended = await store.revokeSessionsOf(tx, wallet, now);
        await insertAudit(tx, now, wallet, "signed_out_everywhere", null, {
          sessions: ended.length,
          replaceTokens,
        });
        return { ended, changes };
      });
    },

    /** Throws `confirmation_needed` unless a bearer token is enough for a call or its wallet signed what it does. */
    confirm: (session: Session, call: Call, proof: string | undefined) =>
      confirmCall(signing, session, call, proof),

    /** Returns the ids of those that are neither ended nor expired, in one question for all. */
    async liveOf(sessions: readonly Session[]): Promise<ReadonlySet<string>> {
      const ids = [...new Set(sessions.map(({ id }) => id))];
      const rows = await store.listLiveSessions(db, ids, clock.now());
      const wallets = new Map(rows.map(({ id, wallet }) => [id, wallet]));
      return new Set(
        sessions.filter(({ id, wallet }) => wallets.get(id) === wallet).map(({ id }) => id),
      );
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;
