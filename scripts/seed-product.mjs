import { resolve } from "node:path";
import { fail } from "./fail.mjs";
import { ensureInstalled } from "./install.mjs";
import { root } from "./root.mjs";
import { seed } from "./seed-agent.mjs";

ensureInstalled();

const host = process.env.HOST ?? "127.0.0.1";
const address = process.env.PUBLIC_URL ?? `http://${host}:${process.env.PORT ?? 4600}`;
const isUp = await fetch(new URL("/api/health", address)).then(
  ({ ok }) => ok,
  () => false,
);
if (!isUp) fail(`Nothing answers at ${address}: start it with npm run dev or npm start first.`);
const dataDir = process.env.DATA_DIR ?? `${root}/.cache/dev/data`;
await seed(address, resolve(dataDir)).catch((error) => fail(`No agent was made: ${error.message}`));
