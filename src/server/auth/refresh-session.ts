import type { AccessTokens } from "./access-token.ts";
import { bearerOf, hashOf, refused } from "./session-parts.ts";
import { IDLE_MS, type IssuedTokens, type SessionsDeps } from "./sessions-deps.ts";
import { createHmac } from "node:crypto";
import { insertAudit } from "../store/audit/audit.ts";
import * as store from "../store/auth/sessions.ts";

/** For this long the refresh token just replaced still gets its successor, for tabs that refresh at the same time. */
const GRACE_MS = 10_000;

/** Returns what renews the tokens of a session. A reused refresh token ends it; every refusal throws `unauthenticated`. */
export function refreshSessions(
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
  };
}
