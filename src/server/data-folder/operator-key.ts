import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The operator's private key, which no server reads, and the public key that the signer holds orders against. */
const PRIVATE_FILE = "operator.key";
const PUBLIC_FILE = "operator.pub";

type Check = (text: string, signature: Uint8Array) => boolean;

/** Returns the check of the operator's signatures, or null where he has no key. A file that is no key checks nothing. */
export function readOperatorCheck(dataDir: string): Check | null {
  let key: KeyObject;
  try {
    key = createPublicKey(readFileSync(join(dataDir, PUBLIC_FILE)));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? null : () => false;
  }
  return (text, signature) => {
    try {
      return verify(null, Buffer.from(text), key, signature);
    } catch {
      return false;
    }
  };
}

/**
 * Returns the operator's signing of a text; the first call makes his key. Null where the folder is not there or belongs
 * to another account, whose commands could not use the key, or where the private key was taken elsewhere.
 */
export function openOperatorKey(dataDir: string): ((text: string) => Uint8Array) | null {
  const path = join(dataDir, PRIVATE_FILE);
  const publicPath = join(dataDir, PUBLIC_FILE);
  try {
    if (!existsSync(publicPath)) {
      if (statSync(dataDir).uid !== process.geteuid?.()) return null;
      const pair = generateKeyPairSync("ed25519");
      const pem = pair.privateKey.export({ format: "pem", type: "pkcs8" });
      writeFileSync(path, pem, { mode: 0o600, flag: "wx" });
      const shown = pair.publicKey.export({ format: "pem", type: "spki" });
      writeFileSync(publicPath, shown, { mode: 0o644, flag: "wx" });
    }
    const key = createPrivateKey(readFileSync(path));
    return (text) => sign(null, Buffer.from(text), key);
  } catch {
    return null;
  }
}
