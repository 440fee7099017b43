import { join } from "node:path";

/** The folder of the checkout. */
export const root = join(import.meta.dirname, "..");

/** Returns the path of an installed package's command. */
export function bin(name) {
  return join(root, "node_modules", ".bin", name);
}
