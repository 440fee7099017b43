import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { CODE_DIGITS } from "../../contract/notices.ts";

/** Computes codes from the server's secret, so that the database holds nothing a code could be guessed from. */
export function createAddressCodes(sessionSecret: Uint8Array) {
  const key = Buffer.from(hkdfSync("sha256", sessionSecret, "", "wheelhouse address codes", 32));
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
