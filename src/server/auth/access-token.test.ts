import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { parseOwner } from "../../domain/ids.ts";
import { ACCESS_TOKEN_MS, createAccessTokens } from "./access-token.ts";

const now = Date.parse("2026-11-22T10:00:00.400Z");
const seconds = Math.floor(now / 1_000);
const secret = new Uint8Array(32).fill(3);

function buildTokens(parts: { nowMs?: number; secret?: Uint8Array; publicUrl?: string } = {}) {
  return createAccessTokens({
    secret: parts.secret ?? secret,
    publicUrl: new URL(parts.publicUrl ?? "https://app.test/path"),
    clock: { now: () => parts.nowMs ?? now },
    random: (length) => new Uint8Array(length).fill(7),
  });
}

const WALLET = parseOwner("A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo");

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const HEADER = { alg: "HS256", typ: "at+jwt" };
const CLAIMS = {
  sid: "session",
  typ: "access",
  iss: "wheelhouse",
  aud: "https://app.test",
  sub: WALLET,
  jti: "one",
  iat: seconds,
  nbf: seconds,
  exp: seconds + 600,
};

/** Makes a token by the letter of RFC 7515, without the library that verifies it. */
function forge(header: object, claims: object, key = secret, digest = "sha256") {
  const body = `${base64(header)}.${base64(claims)}`;
  return `${body}.${createHmac(digest, key).update(body).digest("base64url")}`;
}
const verify = (token: string) => buildTokens().verify(token);
const found = { sessionId: "session", wallet: WALLET, expiresAt: (seconds + 600) * 1_000 };

describe("a bearer token", () => {
  it("identifies its session for ten minutes", async () => {
    const token = await buildTokens().issue("session", WALLET);
    const [header, claims] = token.split(".").map((part) => Buffer.from(part, "base64url"));
    expect(JSON.parse(String(header))).toEqual(HEADER);
    expect(JSON.parse(String(claims))).toEqual({ ...CLAIMS, jti: "07".repeat(16) });
    expect(await verify(token)).toEqual(found);
    const at = (nowMs: number) => buildTokens({ nowMs }).verify(token);
    const ends = seconds * 1_000 + ACCESS_TOKEN_MS;
    expect(await at(ends - 1)).toEqual(found);
    expect(await at(ends)).toBeNull();
    expect(await at(seconds * 1_000 - 1)).toBeNull();
  });

  it("identifies its session for a refresh until seven days after its end", async () => {
    const token = await buildTokens().issue("session", WALLET);
    const ends = seconds * 1_000 + ACCESS_TOKEN_MS;
    const at = (nowMs: number, allowExpired: boolean) =>
      buildTokens({ nowMs }).verify(token, { allowExpired });
    expect(await at(ends + 7 * 86_400_000 - 1, true)).toEqual(found);
    expect(await at(ends + 7 * 86_400_000, true)).toBeNull();
    expect(await at(ends, false)).toBeNull();
  });

  it("is valid only for this deployment and this secret", async () => {
    const token = await buildTokens().issue("session", WALLET);
    expect(await buildTokens({ secret: new Uint8Array(32) }).verify(token)).toBeNull();
    expect(await buildTokens({ publicUrl: "https://other.test" }).verify(token)).toBeNull();
    expect(await buildTokens({ publicUrl: "https://app.test" }).verify(token)).toEqual(found);
  });

  it("is accepted as the standard spells it", async () => {
    expect(await verify(forge(HEADER, CLAIMS))).toEqual(found);
  });

  it.each(Object.keys(CLAIMS))("is refused without %s", async (claim) => {
    const { [claim as keyof typeof CLAIMS]: _, ...rest } = CLAIMS;
    expect(await verify(forge(HEADER, rest))).toBeNull();
  });

  it.each([
    ["another issuer", HEADER, { iss: "other" }],
    ["another audience", HEADER, { aud: "https://app.test.evil" }],
    ["another use", HEADER, { typ: "refresh" }],
    ["a session that is no text", HEADER, { sid: 1 }],
    ["a wallet that is no text", HEADER, { sub: 1 }],
    ["another type", { alg: "HS256", typ: "JWT" }, {}],
    ["no type", { alg: "HS256" }, {}],
    ["a key of its own", { ...HEADER, jwk: { kty: "oct", k: "AAAA" } }, {}],
    ["a key's name", { ...HEADER, kid: "../../dev/null" }, {}],
  ])("is refused with %s", async (_name, header, claims) => {
    expect(await verify(forge(header, { ...CLAIMS, ...claims }))).toBeNull();
  });

  it("is refused unsigned, signed another way, changed or cut", async () => {
    const token = forge(HEADER, CLAIMS);
    for (const other of [
      `${base64({ ...HEADER, alg: "none" })}.${base64(CLAIMS)}.`,
      forge({ ...HEADER, alg: "HS512" }, CLAIMS, secret, "sha512"),
      token.replace(/\.[^.]+\./, `.${base64({ ...CLAIMS, sub: "other" })}.`),
      token.slice(0, -1),
      "",
    ]) {
      expect(await verify(other)).toBeNull();
    }
  });
});
