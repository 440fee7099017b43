import { AppError } from "../../contract/errors.ts";
import type { Clock } from "../../domain/clock.ts";
import type { OwnerAddress } from "../../domain/ids.ts";
import type { Session } from "../session.ts";
import { insertAudit } from "../store/audit/audit.ts";
import type { Db } from "../store/postgres/db.ts";
import { useNonce } from "../store/auth/sessions.ts";
import * as store from "../store/auth/sessions.ts";
import type { NonceSeal } from "./nonce-seal.ts";
import { isNonceLive, NONCE_MS } from "./sign-in.ts";
import { isSignedBy } from "./wallet-key.ts";

/** For this long after a confirmed change a session makes further ones without asking again. */
const REMEMBERED_MS = 15 * 60_000;

const PURPOSE = "confirm";

interface ConfirmDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly nonces: NonceSeal;
  readonly publicUrl: URL;
}

/**
 * Accepts a change that the session's wallet signed for, with this call or within the last fifteen minutes.
 *
 * Otherwise throws `confirmation_needed` with the text to sign. The proof is a nonce and a signature, separated by a
 * space.
 */
export async function confirmChange(
  deps: ConfirmDeps,
  session: Session,
  change: string,
  proof: string | undefined,
  /** True when an earlier confirmation does not count. */
  isFresh = false,
): Promise<void> {
  const now = deps.clock.now();
  const isProven = proof !== undefined && (await recordProof(deps, session, change, proof, now));
  if (isProven) return;
  const confirmedAt = await store.findConfirmedAt(deps.db, session.id);
  if (!isFresh && confirmedAt !== null && now < confirmedAt + REMEMBERED_MS) return;
  const nonce = deps.nonces.seal(purposeOf(session, change), now);
  const message = messageOf(deps.publicUrl, session.wallet, change, nonce, now);
  throw new AppError("confirmation_needed", { confirm: { nonce, message } });
}

/** Records a proof that is valid, fresh and unused and returns true; any other changes nothing. */
async function recordProof(
  { db, nonces, publicUrl }: ConfirmDeps,
  session: Session,
  change: string,
  proof: string,
  now: number,
): Promise<boolean> {
  const [nonce = "", signature = ""] = proof.split(" ");
  const issuedAt = nonces.open(purposeOf(session, change), nonce);
  if (issuedAt === null || !isNonceLive(issuedAt, now)) return false;
  const message = messageOf(publicUrl, session.wallet, change, nonce, issuedAt);
  if (!isSignedBy(session.wallet, Buffer.from(message), signature)) return false;
  return db.transaction().execute(async (tx) => {
    if (!(await useNonce(tx, nonce, issuedAt + NONCE_MS))) return false;
    await store.setConfirmedAt(tx, session.id, now);
    await insertAudit(tx, {
      at: now,
      wallet: session.wallet,
      action: "change_confirmed",
      object: session.id,
      detail: { change },
    });
    return true;
  });
}

/** Includes the session, so that a signature made in one session confirms nothing in another. */
function purposeOf(session: Session, change: string): string[] {
  return [PURPOSE, session.id, session.wallet, change];
}

function messageOf(
  publicUrl: URL,
  wallet: OwnerAddress,
  change: string,
  nonce: string,
  issuedAt: number,
): string {
  return [
    `${publicUrl.host} asks you to confirm a change with your Solana account:`,
    wallet,
    "",
    change,
    "",
    "For the next 15 minutes this session makes such changes without asking again.",
    "Signing moves no funds and costs nothing.",
    "",
    `URI: ${publicUrl.origin}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(issuedAt).toISOString()}`,
    `Expiration Time: ${new Date(issuedAt + NONCE_MS).toISOString()}`,
  ].join("\n");
}
