import type { OwnerAddress } from "../../domain/ids.ts";
import type { AccessTokens } from "./access-token.ts";
import { hashOf, refused, type IssuedTokens, type SessionsDeps } from "./session-parts.ts";
import { newId } from "../crypto/new-id.ts";
import { limitPerDay, limitPerMinute } from "../pacing/rate-limit.ts";
import { insertAudit } from "../store/audit/audit.ts";
import { useNonce } from "../store/auth/sessions.ts";
import { isKnownWallet } from "../store/auth/ownership.ts";
import * as store from "../store/auth/sessions.ts";
import { challengeOf, isSignInTransaction } from "./sign-in.ts";
import { isSignedBy, isTextSignedBy } from "./wallet-key.ts";
import { encodeBase58 } from "../../domain/base58.ts";
import { parseAddress } from "../../solana/encoding/address-codec.ts";
import { AppError } from "../../contract/errors.ts";

/** How long a session lives at most. */
export const SESSION_MS = 7 * 24 * 3600_000;

/** Times one wallet may sign in a minute. Only its own key can use them up. */
const SIGN_INS_PER_MINUTE = 30;

/** Wallets that own nothing here and sign in from one address a minute: each becomes stored rows. */
const NEW_WALLETS_PER_MINUTE = 60;

/** The same in 24 hours: whatever a wallet may have here, one address has it at most so many times. */
const NEW_WALLETS_PER_DAY = 1_000;

/** Origin of a sign-in, taken from the request; `address` is what counts as one caller. */
export interface SignedInFrom {
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** What a wallet signed to sign in: the text, or a transaction that carries it and is never sent. */
export type SignInProof =
  | { readonly signature: string }
  /** Wire bytes. */
  | { readonly transaction: Uint8Array };

function requireProof(
  wallet: OwnerAddress,
  shown: { readonly text: string; readonly host: string },
  proof: SignInProof,
): void {
  if ("signature" in proof) {
    if (!isTextSignedBy(wallet, shown, proof.signature)) throw refused();
    return;
  }
  const asked = { wallet: parseAddress(wallet), text: shown.text };
  const isSigned = isSignInTransaction(proof.transaction, asked, (message, signature) =>
    isSignedBy(wallet, message, encodeBase58(signature)),
  );
  if (isSigned) return;
  throw new AppError("unauthenticated", {
    message: "The wallet signed another transaction than the one to sign in. It was not sent.",
  });
}

/** Returns what signs a wallet in. Throws `unauthenticated`, and `rate_limited` as `Sessions.signIn` says. */
export function openSessions(
  deps: SessionsDeps,
  signing: Parameters<typeof challengeOf>[0],
  accessTokens: AccessTokens,
): (
  wallet: OwnerAddress,
  nonce: string,
  proof: SignInProof,
  from: SignedInFrom,
) => Promise<IssuedTokens> {
  const { db, clock } = deps;
  const limitWallet = limitPerMinute(SIGN_INS_PER_MINUTE);
  const limitNewWallets = limitPerMinute(deps.newWalletsPerMinute ?? NEW_WALLETS_PER_MINUTE);
  const limitNewWalletsOfDay = limitPerDay(deps.newWalletsPerDay ?? NEW_WALLETS_PER_DAY);
  return async (wallet, nonce, proof, from) => {
    const now = clock.now();
    const challenge = challengeOf(signing, wallet, nonce);
    if (challenge === null) throw refused();
    requireProof(wallet, { text: challenge.message, host: deps.publicUrl.host }, proof);
    const sessionId = newId(deps.random);
    const refreshToken = Buffer.from(deps.random(32)).toString("base64url");
    await db.transaction().execute(async (tx) => {
      if (!(await useNonce(tx, nonce, challenge.expiresAt))) throw refused();
      // Counted after the proof, so that nobody without the key uses up the wallet's limit
      await limitWallet(wallet);
      if (!(await isKnownWallet(tx, wallet))) {
        await limitNewWallets(from.address);
        await limitNewWalletsOfDay(from.address);
      }
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
      await insertAudit(tx, now, wallet, "signed_in", sessionId);
    });
    return { accessToken: await accessTokens.issue(sessionId, wallet), refreshToken };
  };
}

/** Products by a mark in the User-Agent; the first match counts, since most products name the others too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** Names a browser from its User-Agent, for people to know it again: "Chrome on Linux". Anybody can send any name. */
export function browserName(userAgent: string | undefined): string {
  const find = (names: typeof BROWSERS) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser === undefined) return "Unknown browser";
  return system === undefined ? browser : `${browser} on ${system}`;
}
