import * as z from "zod/mini";
import { AppError } from "../../contract/errors.ts";
import { name as nameText } from "../../contract/fields.ts";
import type { Clock } from "../../domain/clock.ts";
import { newId, type RandomBytes } from "../crypto/new-id.ts";
import type { FetchOutside } from "../notices/post-outside.ts";
import * as store from "../store/auth/connections.ts";
import type { Db } from "../store/postgres/db.ts";

const MINUTE_MS = 60_000;

/** Programs that are registered at a time; beyond it the oldest one that no owner has connected goes. */
export const MAX_CLIENTS = 10_000;

/** Time for which a program's own description is believed, and how many are kept. */
const DOCUMENT_MS = 10 * MINUTE_MS;
const MAX_DOCUMENTS = 100;

const MAX_REDIRECTS = 10;

/** Error of the protocol, as RFC 6749 names it. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the refusal of what a program asks for, in words for its owner. */
export const refused = (message: string) => new AppError("validation_failed", { message });

const NAME_LENGTH = 60;
/** A longer name is cut, whole characters only. */
const clientName = z.pipe(
  z.pipe(
    z.string(),
    z.transform((sent: string) =>
      sent
        .slice(0, NAME_LENGTH)
        .replace(/[\ud800-\udbff]$/, "")
        .trim(),
    ),
  ),
  nameText(1, NAME_LENGTH),
);
const redirectUris = z
  .array(z.string().check(z.maxLength(500)))
  .check(z.minLength(1), z.maxLength(MAX_REDIRECTS));
const metadata = z.object({ client_name: z.optional(clientName), redirect_uris: redirectUris });
const document = z.object({ ...metadata.shape, client_id: z.string() });

/** Hosts of this machine, where a desktop program listens on a port of its own (RFC 8252, section 7.3). */
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;

/** A scheme of a program's own: a word, or its author's domain reversed (RFC 8252, section 7.1). Systems' own have hyphens. */
const OWN_SCHEME = /^[a-z][a-z0-9]*(?:\.[a-z0-9-]+)*:$/;

/** Schemes of one word that a page runs or reads instead of leaving for, or that a system opens for anybody. */
const UNSAFE_SCHEMES =
  /^(?:javascript|data|vbscript|file|blob|about|filesystem|wss?|s?ftp|ssh|telnet|smb|ldaps?|jar|res|mhtml|intent|content|search|help|hcp|shell|mailto|tel|sms|chrome|edge|resource):$/;

/** Returns whether an owner may be sent to an address: https, a scheme of a program's own, or http on this machine. */
export function isRedirect(address: string): boolean {
  if (!URL.canParse(address) || address.includes("#")) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== "" || password !== "") return false;
  if (protocol === "https:") return true;
  if (protocol === "http:") return LOOPBACK.test(hostname);
  return (
    OWN_SCHEME.test(protocol) &&
    !UNSAFE_SCHEMES.test(protocol) &&
    address.startsWith(`${protocol}//`)
  );
}

/**
 * Returns an address as it is compared, character by character (RFC 9700, section 4.1.3), without the port that a program
 * on this machine may choose anew each time.
 */
export function comparable(address: string): string {
  const { protocol, hostname } = new URL(address);
  const isHere = protocol === "http:" && LOOPBACK.test(hostname);
  return isHere ? address.replace(/^(http:\/\/(?:\[::1\]|[^:/?]+)):\d+(?=[/?]|$)/, "$1") : address;
}

/** Names that this server gives to what is proposed in its own page, however written. */
const RESERVED = /pages? ?chat|wheelhouse|signed in/;

/** A word that mixes letters that look the same. */
const MIXED =
  /(?=[\p{L}\p{M}]*\p{Script=Latin})(?=[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}])[\p{L}\p{M}]+/u;

/** Whether an owner could take a program's name for the page's own. */
const isReserved = (name: string): boolean =>
  MIXED.test(name) ||
  RESERVED.test(
    name
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N} ]/gu, ""),
  );

/** Returns whom an owner is sent back to, for people. */
export const returnsTo = (redirectUri: string): string => {
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? host : protocol;
};

/** A program that asks to be let in. */
export interface Client extends store.ClientRow {
  /** Address of its own description; absent for one that registered. */
  readonly describedBy?: string;
}

interface ClientDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly fetchOutside: FetchOutside;
}

/** Returns what finds a program by its id, or by the address of its own description. */
export function createFindClient({ db, clock, fetchOutside }: ClientDeps) {
  const documents = new Map<string, { readonly client: Client; readonly until: number }>();

  async function described(id: string): Promise<Client> {
    const now = clock.now();
    const kept = documents.get(id);
    if (kept !== undefined && kept.until > now) return kept.client;
    const found = await fetchOutside(id).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : "";
      throw refused(`The assistant's description could not be read. ${reason}`);
    });
    const parsed = z.safeParse(document, found);
    if (!parsed.success || parsed.data.client_id !== id) {
      throw refused("The assistant's description is not about itself, or names no redirect_uris.");
    }
    const { client_name: name = new URL(id).host, redirect_uris: uris } = parsed.data;
    if (isReserved(name)) throw refused("The assistant has a name that only this page has.");
    const client = { id, name, redirectUris: uris.filter(isRedirect), describedBy: id };
    if (documents.size >= MAX_DOCUMENTS) documents.clear();
    documents.set(id, { client, until: now + DOCUMENT_MS });
    return client;
  }

  return async (id: string): Promise<Client> => {
    // A description lies under https, at a path
    const url = URL.canParse(id) ? new URL(id) : null;
    const isAddress = url?.protocol === "https:" && url.pathname !== "/";
    const client = isAddress ? await described(id) : await store.findClient(db, id);
    if (client === null) throw refused("This assistant is not registered here. Connect it anew.");
    return client;
  };
}

/** Registers a program (RFC 7591); returns what it is called here. */
export async function registerClient({ db, clock, random }: ClientDeps, sent: unknown) {
  const parsed = z.safeParse(metadata, sent);
  if (!parsed.success || !parsed.data.redirect_uris.every(isRedirect)) {
    const message =
      "redirect_uris has to have 1 to 10 addresses: https, a scheme of the program's own, or http on this machine.";
    throw new OAuthError("invalid_redirect_uri", message);
  }
  const now = clock.now();
  const { client_name: name = "An assistant", redirect_uris: uris } = parsed.data;
  if (isReserved(name)) {
    throw new OAuthError("invalid_client_metadata", "client_name is one that only this page has.");
  }
  const id = newId(random);
  await db.transaction().execute(async (tx) => {
    const surplus = (await store.countClients(tx)) - MAX_CLIENTS + 1;
    if (surplus > 0 && (await store.deleteUnusedClients(tx, surplus)) === 0) {
      throw new OAuthError("temporarily_unavailable", "No further program can register now.");
    }
    await store.insertClient(tx, { id, name, redirectUris: uris }, now);
  });
  return {
    client_id: id,
    client_id_issued_at: Math.floor(now / 1_000),
    client_name: name,
    redirect_uris: uris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}
