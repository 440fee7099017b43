import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { root } from "./root.mjs";

/** Returns the wallet file of the seeded agents. It only works on the practice network. */
export const walletFile = (dataDir) => join(dataDir, "seed-wallet.json");

/** Creates a funded practice agent with two trades through a running product's public calls. */
export async function seed(address, dataDir) {
  const folder = join(root, ".cache", "dev", "seed");
  mkdirSync(folder, { recursive: true });
  const bundle = await rolldown({
    input: join(root, "test", "seed-practice.ts"),
    platform: "node",
    external: /^[^./\0]/,
  });
  await bundle.write({ dir: folder, format: "esm" });
  await bundle.close();
  const { seedPractice } = await import(pathToFileURL(join(folder, "seed-practice.js")).href);
  await seedPractice(address, walletFile(dataDir));
}
