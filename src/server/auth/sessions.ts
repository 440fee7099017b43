import { createHash, createHmac } from "node:crypto";
import { AppError } from "../../contract/errors.ts";
import type { Clock } from "../../domain/clock.ts";
import { newId, type RandomBytes } from "../new-id.ts";
import { limitPerMinute } from "../rate-limit.ts";
import type { Session } from "../session.ts";
import { insertAudit } from "../store/audit/audit.ts";
import type { Db } from "../store/postgres/db.ts";
import { useNonce } from "../store/auth/nonces.ts";
import { isKnownWallet } from "../store/auth/ownership.ts";
import * as store from "../store/auth/sessions.ts";
import { createAccessTokens } from "./access-token.ts";
import { browserName } from "./browser-name.ts";
import { confirmChange } from "./confirm.ts";
import { createNonceSeal } from "./nonce-seal.ts";
import { challengeOf, createChallenge, type SignInChallenge } from "./sign-in.ts";
import { isSignedBy } from "./wallet-key.ts";

/** Longest life of a session, and the longest without a refresh. */
export const SESSION_MS = 7 * 24 * 3600_000;
const IDLE_MS = 24 * 3600_000;

/** For this long the refresh token just replaced still gets its successor, for tabs that refresh at the same time. */
const GRACE_MS = 10_000;

/** Times one wallet may sign in a minute. Only its own key can use them up. */
const SIGN_INS_PER_MINUTE = 30;

/** Wallets that own nothing here and sign in from one address a minute: each becomes stored rows. */
const NEW_WALLETS_PER_MINUTE = 60;

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Origin of a sign-in, taken from the request. */
export interface SignedInFrom {
  readonly address: string;
  readonly userAgent: string | undefined;
}

export interface OpenSession extends Omit<store.SessionRow, "id"> {
  readonly isCurrent: boolean;
}

export interface Authenticated {
  readonly session: Session;
  /** When the bearer token ends, milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Opens, checks, renews and ends sessions. Every refusal is the same `unauthenticated`. */
export interface Sessions {
  /** Returns the message the wallet has to sign; stores nothing. */
  challenge(wallet: string): SignInChallenge;
  /** Throws `rate_limited` too; a wallet with a chat is not counted with others of its address. */
  signIn(
    wallet: string,
    nonce: string,
    signature: string,
    from: SignedInFrom,
  ): Promise<IssuedTokens>;
  /** Takes every Authorization header of the request; more than one is refused. */
  authenticate(authorization: readonly string[]): Promise<Authenticated>;
  refresh(
    authorization: readonly string[],
    refreshToken: string | undefined,
  ): Promise<IssuedTokens>;
  /** Ends the session of the bearer token or the cookie; null when neither names one. */
  logOut(
    authorization: readonly string[],
    refreshToken: string | undefined,
  ): Promise<Session | null>;
  /** Throws `confirmation_needed` unless the wallet signed for such a change, with this call or lately. */
  confirm(
    session: Session,
    change: string,
    proof: string | undefined,
    isFresh?: boolean,
  ): Promise<void>;
  isLive(session: Session): Promise<boolean>;
  /** The open sessions of the session's wallet, last used first. */
  list(session: Session): Promise<readonly OpenSession[]>;
  /** Ends every session of the session's wallet; answers with their ids. */
  endAll(session: Session): Promise<readonly string[]>;
}

export interface SessionsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly secret: Uint8Array;
  readonly publicUrl: URL;
  /** Wallets without anything here that may sign in from one address a minute; 60 unless told. */
  readonly newWalletsPerMinute?: number;
}

export function createSessions(deps: SessionsDeps): Sessions {
  const { db, clock } = deps;
  const accessTokens = createAccessTokens(deps);
  const signing = { ...deps, nonces: createNonceSeal(deps.secret, deps.random) };
  const limitWallet = limitPerMinute(SIGN_INS_PER_MINUTE);
  const limitNewWallets = limitPerMinute(deps.newWalletsPerMinute ?? NEW_WALLETS_PER_MINUTE);

  // The successor is computed, not stored, so that a raced refresh can be given the same one again
  const successorOf = (refreshToken: string) =>
    createHmac("sha256", deps.secret)
      .update(`refresh successor ${refreshToken}`)
      .digest("base64url");

  return {
    challenge: (wallet) => createChallenge(signing, wallet),

    async signIn(wallet, nonce, signature, from) {
      const now = clock.now();
      const challenge = challengeOf(signing, wallet, nonce);
      if (challenge === null) throw refused();
      if (!isSignedBy(wallet, Buffer.from(challenge.message), signature)) throw refused();
      const sessionId = newId(deps.random);
      const refreshToken = Buffer.from(deps.random(32)).toString("base64url");
      await db.transaction().execute(async (tx) => {
        if (!(await useNonce(tx, nonce, challenge.expiresAt))) throw refused();
        // Counted after the proof, so that nobody without the key uses up the wallet's limit
        await limitWallet(wallet);
        if (!(await isKnownWallet(tx, wallet))) await limitNewWallets(from.address);
        await store.insertSession(tx, {
          id: sessionId,
          wallet,
          browser: browserName(from.userAgent),
          createdAt: now,
          expiresAt: now + SESSION_MS,
        });
        await store.insertRefreshToken(tx, {
          tokenHash: hashOf(refreshToken),
          sessionId,
          createdAt: now,
        });
        await insertAudit(tx, { at: now, wallet, action: "signed_in", object: sessionId });
      });
      return { accessToken: await accessTokens.issue(sessionId, wallet), refreshToken };
    },

    async authenticate(authorization) {
      const token = bearerOf(authorization);
      const claims = token === null ? null : await accessTokens.verify(token);
      if (claims === null) throw refused();
      const { sessionId, wallet, expiresAt } = claims;
      if (!(await store.isSessionLive(db, sessionId, wallet, clock.now()))) throw refused();
      return { session: { id: sessionId, wallet }, expiresAt };
    },

    async refresh(authorization, refreshToken) {
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
        await insertAudit(tx, {
          at: now,
          wallet: row.wallet,
          action: "refresh_reuse",
          object: row.sessionId,
        });
        return "refused";
      });
      if (outcome === "refused") throw refused();
      const accessToken = await accessTokens.issue(claims.sessionId, claims.wallet);
      return { accessToken, refreshToken: successor };
    },

    async logOut(authorization, refreshToken) {
      const token = bearerOf(authorization);
      const claims = token && (await accessTokens.verify(token, { allowExpired: true }));
      const session = claims
        ? { id: claims.sessionId, wallet: claims.wallet }
        : refreshToken && (await store.findSessionByRefreshToken(db, hashOf(refreshToken)));
      if (!session) return null;
      const now = clock.now();
      if (await store.revokeSession(db, session.id, now)) {
        await insertAudit(db, {
          at: now,
          wallet: session.wallet,
          action: "signed_out",
          object: session.id,
        });
      }
      return session;
    },

    async list({ id: current, wallet }) {
      const now = clock.now();
      const rows = await store.listSessionsOf(db, wallet, { now, usedAfter: now - IDLE_MS });
      return rows.map(({ id, ...row }) => ({ ...row, isCurrent: id === current }));
    },

    async endAll({ wallet }) {
      const now = clock.now();
      return db.transaction().execute(async (tx) => {
        const ended = await store.revokeSessionsOf(tx, wallet, now);
        await insertAudit(tx, {
          at: now,
          wallet,
          action: "signed_out_everywhere",
          detail: { sessions: ended.length },
        });
        return ended;
      });
    },

    confirm: (session, change, proof, isFresh) =>
      confirmChange(signing, session, change, proof, isFresh),

    isLive: (session) => store.isSessionLive(db, session.id, session.wallet, clock.now()),
  };
}

function bearerOf(authorization: readonly string[]): string | null {
  const [header, second] = authorization;
  if (header === undefined || second !== undefined) return null;
  return /^Bearer ([A-Za-z0-9._-]{1,2048})$/.exec(header)?.[1] ?? null;
}

function hashOf(refreshToken: string): string {
  return createHash("sha256").update(refreshToken).digest("hex");
}

function refused(): AppError {
  return new AppError("unauthenticated");
}
