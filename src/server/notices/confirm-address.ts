import { AppError, found } from "../../contract/errors.ts";
import { CODE_MINUTES, CODE_DIGITS } from "../../contract/notices.ts";
import type { Clock } from "../../domain/clock.ts";
import type { OwnerAddress } from "../../domain/ids.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  type CodeRow,
  confirmChannel,
  countCodeAttempt,
  insertCode,
  lockChannel,
} from "../store/notices/notice-codes.ts";
import { limitPerDay } from "../pacing/rate-limit.ts";
import { emailTarget } from "./channels/email.ts";
import type { TargetCipher } from "./encrypt-target.ts";
import { createHmac, timingSafeEqual } from "node:crypto";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long a code can be used. */
export const CODE_LIFE_MS = CODE_MINUTES * MINUTE_MS;

/** Wrong codes after which a code can no longer be used: with six digits one guess in 200,000 succeeds. */
const MAX_TRIES = 5;

/** Codes a wallet may ask for in an hour, and in 24 hours. */
const MAX_OF_WALLET = 5;
const MAX_OF_WALLET_A_DAY = 10;

/** Codes sent to one address in 24 hours, whoever asks: an address that is not the wallet's must not be flooded. */
const MAX_OF_ADDRESS = 10;

/** Codes that callers of one network address may ask for in 24 hours, under any number of wallets. */
const MAX_OF_CALLER = 20;

/** Codes all of this deployment sends in an hour: more would cost its mail server its reputation. */
const MAX_OF_ALL = 300;

/** Confirms with a code sent by e-mail that an address belongs to the owner. */
export function createConfirmAddress(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly seal: TargetCipher;
  readonly codes: AddressCodes;
}) {
  const { db, clock, seal, codes } = deps;
  const limitCaller = limitPerDay(MAX_OF_CALLER);

  /**
   * Queues a code for a channel that was just added. Throws `rate_limited`. Called in the transaction that adds it;
   * `caller` is whose call it is, by network address.
   */
  async function begin(
    tx: Db,
    owner: OwnerAddress,
    channelId: string,
    address: string,
    caller: string,
  ): Promise<void> {
    await limitCaller(caller);
    const now = clock.now();
    const hourAgo = new Date(now - HOUR_MS);
    const dayAgo = new Date(now - 24 * HOUR_MS);
    const isMade = await insertCode(
      tx,
      { channelId, owner, addressKey: codes.keyOf(address), at: new Date(now) },
      {
        ofOwner: { since: hourAgo, most: MAX_OF_WALLET },
        ofOwnerLonger: { since: dayAgo, most: MAX_OF_WALLET_A_DAY },
        ofAddress: { since: dayAgo, most: MAX_OF_ADDRESS },
        ofAll: { since: hourAgo, most: MAX_OF_ALL },
      },
    );
    if (isMade) return;
    throw new AppError("rate_limited", {
      message: `At most ${MAX_OF_WALLET} codes are sent an hour and ${MAX_OF_WALLET_A_DAY} a day, ${MAX_OF_ADDRESS} a day to one address, and ${MAX_OF_ALL} an hour by this server. Try again later.`,
    });
  }

  /** Whether the code was right; the number of tries left when it was not. */
  async function takeCode(
    tx: Db,
    channelId: string,
    code: CodeRow,
    given: string,
  ): Promise<true | number> {
    if (codes.isCode(channelId, code.seq, given)) {
      await confirmChannel(tx, channelId, new Date(clock.now()));
      return true;
    }
    await countCodeAttempt(tx, code.seq);
    return MAX_TRIES - code.tries - 1;
  }

  const isUsable = (code: CodeRow | null): code is CodeRow =>
    code !== null && code.tries < MAX_TRIES && clock.now() < code.at.getTime() + CODE_LIFE_MS;

  return {
    begin,
    /** Queues a new code; earlier ones can no longer be used. Throws `not_found`, `conflict` and `rate_limited`. */
    async sendAgain(owner: OwnerAddress, channelId: string, caller: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const channel = found(await lockChannel(tx, owner, channelId));
        if (channel.isConfirmed) {
          throw new AppError("conflict", { message: "No code is needed here." });
        }
        const target = seal.open(channelId, channel.target);
        if (target === null) {
          const message = "The server's secret was replaced. Add the channel again.";
          throw new AppError("conflict", { message });
        }
        const { address } = emailTarget.parse(JSON.parse(target));
        await begin(tx, owner, channelId, address, caller);
      });
    },
    /** Takes the code that was sent. Throws `not_found`, `code_mismatch` and `code_expired`. */
    async confirm(owner: OwnerAddress, channelId: string, given: string): Promise<void> {
      // A try has to stay counted, so nothing is thrown before the transaction ends
      const left = await db.transaction().execute(async (tx) => {
        const { isConfirmed, code } = found(await lockChannel(tx, owner, channelId));
        if (isConfirmed) return true;
        return isUsable(code) ? takeCode(tx, channelId, code, given) : 0;
      });
      if (left === true) return;
      if (left <= 0) throw new AppError("code_expired");
      const tries = left === 1 ? "1 more try" : `${left} more tries`;
      throw new AppError("code_mismatch", {
        message: `That is not the code. You have ${tries}.`,
      });
    },
  };
}

export type ConfirmAddress = ReturnType<typeof createConfirmAddress>;

/** Computes codes from a key of the server, so that the database holds nothing a code could be guessed from. */
export function createAddressCodes(key: Uint8Array) {
  const digest = (...parts: readonly string[]) =>
    createHmac("sha256", key).update(JSON.stringify(parts)).digest();
  const codeOf = (channelId: string, seq: string): string => {
    const number = digest("code", channelId, seq).readBigUInt64BE() % 10n ** BigInt(CODE_DIGITS);
    return number.toString().padStart(CODE_DIGITS, "0");
  };
  return {
    /** The code of decimal digits for one request of a channel. */
    codeOf,
    isCode(channelId: string, seq: string, given: string): boolean {
      const [own, theirs] = [codeOf(channelId, seq), given].map((text) => Buffer.from(text));
      return own?.length === theirs?.length && timingSafeEqual(own ?? key, theirs ?? key);
    },
    /** A digest of an e-mail address, the same for every way to write it, by which codes to it are counted. */
    keyOf: (address: string): Uint8Array => digest("address", plainAddress(address)),
  };
}

export type AddressCodes = ReturnType<typeof createAddressCodes>;

/**
 * Returns one way to write a mailbox: lower case, without a tag after "+" and without dots in its name, which large mail
 * servers deliver to the same person, and its host without a dot at the end. Two mailboxes of a server that tells them
 * apart share the limit.
 */
function plainAddress(address: string): string {
  const [name = "", host = ""] = address.normalize("NFKC").toLowerCase().split("@");
  const server = host.replace(/\.+$/, "");
  return `${(name.split("+")[0] ?? "").replaceAll(".", "")}@${server === "googlemail.com" ? "gmail.com" : server}`;
}
