import type { OwnerAddress } from "../../domain/ids.ts";
import { type SignedInFrom, openSessions } from "./open-session.ts";
import { refreshSessions } from "./refresh-session.ts";
import { bearerOf, hashOf, refused } from "./session-parts.ts";
import { IDLE_MS, type IssuedTokens, type SessionsDeps } from "./sessions-deps.ts";
import type { Session } from "../session.ts";
import { insertAudit } from "../store/audit/audit.ts";
import * as store from "../store/auth/sessions.ts";
import { createAccessTokens } from "./access-token.ts";
import { confirmChange } from "./confirm.ts";
import { createNonceSeal } from "./nonce-seal.ts";
import { type SignInChallenge, createChallenge } from "./sign-in.ts";

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
  challenge(wallet: OwnerAddress): SignInChallenge;
  /** Throws `rate_limited` too; a wallet with a chat is not counted with others of its address. */
  signIn(
    wallet: OwnerAddress,
    nonce: string,
    signature: string,
    from: SignedInFrom,
  ): Promise<IssuedTokens>;
  /** Takes every Authorization header of the request; more than one is refused. */
  authenticate(authorization: readonly string[]): Promise<Authenticated>;
  /** Returns the session a bearer token names, ended or not; null for a token that is not valid. Asks no database. */
  named(
    authorization: readonly string[],
    options: { readonly allowExpired: boolean },
  ): Promise<Session | null>;
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
  /** Returns the ids of those that are neither ended nor expired, in one question for all. */
  liveOf(sessions: readonly Session[]): Promise<ReadonlySet<string>>;
  /** The open sessions of the session's wallet, last used first. */
  list(session: Session): Promise<readonly OpenSession[]>;
  /** Ends every session of the session's wallet; answers with their ids. */
  endAll(session: Session): Promise<readonly string[]>;
}

export function createSessions(deps: SessionsDeps): Sessions {
  const { db, clock } = deps;
  const accessTokens = createAccessTokens(deps);
  const signing = { ...deps, nonces: createNonceSeal(deps.secret, deps.random) };

  return {
    challenge: (wallet) => createChallenge(signing, wallet),

    refresh: refreshSessions(deps, accessTokens),

    signIn: openSessions(deps, signing, accessTokens),

    async authenticate(authorization) {
      const token = bearerOf(authorization);
      const claims = token === null ? null : await accessTokens.verify(token);
      if (claims === null) throw refused();
      const { sessionId, wallet, expiresAt } = claims;
      if (!(await store.isSessionLive(db, sessionId, wallet, clock.now()))) throw refused();
      return { session: { id: sessionId, wallet }, expiresAt };
    },

    async named(authorization, options) {
      const token = bearerOf(authorization);
      const claims = token === null ? null : await accessTokens.verify(token, options);
      return claims === null ? null : { id: claims.sessionId, wallet: claims.wallet };
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

    async liveOf(sessions) {
      const ids = [...new Set(sessions.map(({ id }) => id))];
      const rows = await store.listLiveSessions(db, ids, clock.now());
      const wallets = new Map(rows.map(({ id, wallet }) => [id, wallet]));
      return new Set(
        sessions.filter(({ id, wallet }) => wallets.get(id) === wallet).map(({ id }) => id),
      );
    },
  };
}
