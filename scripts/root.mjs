// Only Node 14 syntax: this file runs before the Node version is chosen
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Returns the path of an installed package's command. */
export function bin(name) {
  return join(root, "node_modules", ".bin", name);
}
