import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { openSecret } from "./data-folder/open-secret.ts";
import { ConfigError, SECRET_LENGTH } from "./environment.ts";

/** A file of secrets, and the setting that led to it. */
export interface SecretFile {
  readonly setting:
    | "DELEGATE_SECRET_FILE"
    | "SIGNER_WORD_FILE"
    | "NOTICE_KEYS_FILE"
    | "DATABASE_OWNER_FILE"
    | "DATA_DIR";
  readonly path: string;
}

/** Returns what is wrong with a file of secrets, with the setting that led to it. */
export const unusableFile = ({ setting, path }: SecretFile, fault: string): ConfigError =>
  new ConfigError(`${setting}: ${path} ${fault}.`);

/** Returns why a file may not hold secrets; null when it may. */
function faultOf(stat: Stats): string | null {
  const own = process.geteuid?.() ?? stat.uid;
  if (stat.isSymbolicLink()) return "is a link; name the file that it leads to";
  if (!stat.isFile()) return "is not a file";
  if (stat.uid !== own && stat.uid !== 0) return "belongs to another account; run chown on it";
  // Root may let this account's group read: systemd hands credentials over that way
  const others = stat.uid === own ? 0o077 : 0o037;
  return (stat.mode & others) === 0 ? null : "is open to other accounts; run chmod 600 on it";
}

/** Throws `ConfigError` unless a file may hold secrets; does not open it. */
export function lookAtSecretFile(file: SecretFile): void {
  const fault = onSecretFile(file, () => faultOf(lstatSync(file.path)));
  if (fault !== null) throw unusableFile(file, fault);
}

/** Returns the lines of a file of secrets that are not empty. */
export function readSecretFile(file: SecretFile): readonly string[] {
  lookAtSecretFile(file);
  // Looked at again once open: the name may lead elsewhere by then
  const [fault, text] = onSecretFile(file, () => {
    const opened = openSync(file.path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const wrong = faultOf(fstatSync(opened));
      return [wrong, wrong === null ? readFileSync(opened, "utf8") : ""] as const;
    } finally {
      closeSync(opened);
    }
  });
  if (fault !== null) throw unusableFile(file, fault);
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

function onSecretFile<T>(file: SecretFile, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code = "not readable" } = error as NodeJS.ErrnoException;
    const fault = code === "ENOENT" ? "is not there" : `cannot be read (${code})`;
    throw unusableFile(file, fault);
  }
}

/** Returns the secret that the data folder keeps, made at the first start. */
export function keptSecret(dataDir: string, fileName: string): string {
  try {
    const kept = openSecret(join(dataDir, fileName));
    if (kept.length >= SECRET_LENGTH) return kept;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "not readable";
    throw new ConfigError(
      `DATA_DIR: cannot use ${dataDir} (${code}); it must be a folder this user may write to.`,
      { cause: error },
    );
  }
  throw new ConfigError(
    `DATA_DIR: ${join(dataDir, fileName)} is damaged; restore it from a backup.`,
  );
}
