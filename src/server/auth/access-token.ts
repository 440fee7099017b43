import { jwtVerify, SignJWT } from "jose";
import type { Clock } from "../../domain/clock.ts";
import { type OwnerAddress, parseOwner } from "../../domain/ids.ts";
import { newId, type RandomBytes } from "../crypto/new-id.ts";

/** Life of a bearer token. */
export const ACCESS_TOKEN_MS = 10 * 60_000;

const ISSUER = "wheelhouse";
const HEADER_TYPE = "at+jwt";
const CLAIM_TYPE = "access";

/** For this long an expired token still identifies its session for a refresh. */
const REFRESHABLE_SECONDS = 7 * 24 * 3600;

export interface AccessClaims {
  readonly sessionId: string;
  readonly wallet: OwnerAddress;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export function createAccessTokens(deps: {
  readonly secret: Uint8Array;
  readonly publicUrl: URL;
  readonly clock: Clock;
  readonly random: RandomBytes;
}) {
  const audience = deps.publicUrl.origin;
  return {
    async issue(sessionId: string, wallet: OwnerAddress): Promise<string> {
      const now = Math.floor(deps.clock.now() / 1000);
      return new SignJWT({ sid: sessionId, typ: CLAIM_TYPE })
        .setProtectedHeader({ alg: "HS256", typ: HEADER_TYPE })
        .setIssuer(ISSUER)
        .setAudience(audience)
        .setSubject(wallet)
        .setJti(newId(deps.random))
        .setIssuedAt(now)
        .setNotBefore(now)
        .setExpirationTime(now + ACCESS_TOKEN_MS / 1000)
        .sign(deps.secret);
    },
    /** Returns null for every token that is forged, made for another address or not valid now; the reason is not told on purpose. */
    async verify(
      token: string,
      options?: { readonly allowExpired: boolean },
    ): Promise<AccessClaims | null> {
      try {
        const { payload, protectedHeader } = await jwtVerify(token, deps.secret, {
          algorithms: ["HS256"],
          typ: HEADER_TYPE,
          issuer: ISSUER,
          audience,
          requiredClaims: ["sub", "sid", "jti", "iat", "nbf", "exp", "typ"],
          currentDate: new Date(deps.clock.now()),
          clockTolerance: options?.allowExpired ? REFRESHABLE_SECONDS : 0,
        });
        const { sid, sub, exp, typ } = payload;
        const hasForeignHeader = Object.keys(protectedHeader).some(
          (key) => key !== "alg" && key !== "typ",
        );
        if (hasForeignHeader || typ !== CLAIM_TYPE) return null;
        if (typeof sid !== "string" || typeof sub !== "string" || exp === undefined) return null;
        return { sessionId: sid, wallet: parseOwner(sub), expiresAt: exp * 1000 };
      } catch {
        return null;
      }
    },
  };
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;
