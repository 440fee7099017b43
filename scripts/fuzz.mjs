import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { fail } from "./fail.mjs";
import { bin, root } from "./root.mjs";

// `npm run fuzz -- --calls 100000 --bytes 1000000 --tools 20000 --seed 7`: the tests of made-up calls, bytes and calls of
// assistants' tools, as long as wanted
const TESTS = [
  "src/server/http/fuzz-api.db.test.ts",
  "src/server/routes/webhook-fuzz.db.test.ts",
  "src/server/routes/mcp-fuzz.db.test.ts",
];

const text = { type: "string" };
const { values } = parseArgs({ options: { calls: text, bytes: text, tools: text, seed: text } });
for (const [name, value] of Object.entries(values)) {
  if (!/^\d+$/.test(value)) fail(`--${name} needs a whole number.`);
}
const { calls = "100000", bytes = "1000000", tools = "20000", seed } = values;

const { status } = spawnSync(bin("vitest"), ["run", "--project", "db", ...TESTS], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    FUZZ_CALLS: calls,
    FUZZ_BYTES: bytes,
    FUZZ_TOOLS: tools,
    ...(seed === undefined ? {} : { FUZZ_SEED: seed }),
  },
});
process.exitCode = status ?? 1;
