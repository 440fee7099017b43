import { resolve } from "node:path";
import { fail } from "./fail.mjs";
import { root } from "./root.mjs";
import { seed } from "./seed-agent.mjs";

// An empty variable counts as unset, as for the server
const { HOST: host = "127.0.0.1", PORT: port = "4600" } = process.env;
const address = process.env.PUBLIC_URL || `http://${host}:${port}`;
const isUp = await fetch(new URL("/api/health", address)).then(
  ({ ok }) => ok,
  () => false,
);
if (!isUp) fail(`Nothing answers at ${address}: start it with npm run dev or npm start first.`);
const dataDir = process.env.DATA_DIR ?? `${root}/.cache/dev/data`;
await seed(address, resolve(dataDir)).catch((error) => fail(`No agent was made: ${error.message}`));
