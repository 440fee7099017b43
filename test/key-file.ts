import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes a file of trading keys' secrets, new ones unless given, as DELEGATE_SECRET_FILE names it; returns its path. */
export function writeKeyFile(folder: string, ...secrets: readonly string[]): string {
  const path = join(folder, "keys.secret");
  const [secret = randomBytes(32).toString("hex"), ...retired] = secrets;
  writeFileSync(path, [secret, ...retired, ""].join("\n"), { mode: 0o600 });
  return path;
}
