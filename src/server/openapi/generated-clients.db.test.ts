import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { scratchRoot } from "../../../test/scratch-folder.ts";
import { useServer } from "../../../test/server.ts";
import { sendConfirmed, signIn } from "../../../test/wallet.ts";
import { seedObjects } from "../../../test/world.ts";
import { parseAgentId, parseOwner } from "../../domain/ids.ts";
import type { BookedEntry } from "../../domain/ledger/entry.ts";
import { insertEntries } from "../store/ledger/ledger-writes.ts";

/** Fetches generators from npm, which no other test needs; one needs Java, and its client python3-urllib3 and -dateutil. */
const isWanted = process.env["CLIENTS"] === "1";
const why = isWanted ? "" : " (skipped: CLIENTS=1 fetches the generators from npm)";

const GENERATORS = [
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  "@apiture/openapi-down-convert@0.14.2",
  // The last release that brings its program along instead of fetching it from elsewhere
  "@openapitools/openapi-generator-cli@1.0.18-5.0.0-beta2",
  "typescript@5.9.3",
];

const TYPESCRIPT = `import createClient from "openapi-fetch";
import type { paths } from "./api.ts";

declare const process: { readonly argv: readonly string[] };
const [, , baseUrl = "", token = "", agentId = ""] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
const { data, error } = await client.GET("/api/trades/agent", { params: { query: { agentId, from: "2026-11-01" } } });
if (error !== undefined) throw new Error(error.message);
for (const { side, size, price } of data.trades) console.log(side, size, price);
`;

const PYTHON = `import sys
from wheelhouse import ApiClient, Configuration, TradesAndFiguresApi

url, token, agent = sys.argv[1:]
configuration = Configuration(host=url)
configuration.access_token = token
with ApiClient(configuration) as client:
    page = TradesAndFiguresApi(client).list_agent_trades(agent, _from="2026-11-01")
for trade in page.trades:
    print(trade.side, trade.size, trade.price)
`;

const database = useDatabase();
const server = useServer(database);
const run = promisify(execFile);

it.runIf(isWanted)(
  `clients generated for TypeScript and Python compile and list trades${why}`,
  async () => {
    const owner = await signIn(server);
    const { agent } = await seedObjects(server, owner);
    const at = Date.UTC(2026, 10, 21, 8);
    const traded: BookedEntry = {
      signature: "s",
      slot: 1n,
      atMs: at,
      index: 0,
      realised: null,
      realisedFees: null,
      kind: "trade",
      place: "position",
      subAccount: 0,
      market: "SOL-PERP",
      asset: "USDC",
      decimals: 6,
      amount: -310_000_000n,
      base: { marketId: "SOL-PERP", decimals: 9, amount: 2_000_000_000n },
    };
    const of = {
      agentId: parseAgentId(agent),
      owner: parseOwner(owner.address),
      network: "practice",
    } as const;
    await insertEntries(database.db, of, [traded], at);
    const body = { name: "Generated", days: 1 };
    const made = await sendConfirmed(server, owner, "POST", "/api/read-tokens", body);
    const asked = `${server.url} ${made.body.token} ${agent}`;

    const cwd = mkdtempSync(join(scratchRoot(), "clients-"));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    /** Runs a command line whose arguments have no spaces. */
    const call = async (line: string) => {
      const [command = "", ...args] = line.split(" ");
      return (await run(command, args, { cwd })).stdout;
    };
    const document = await server.send("GET", "/api/openapi.json");
    writeFileSync(join(cwd, "package.json"), '{"type":"module"}');
    writeFileSync(join(cwd, "openapi.json"), document.text);
    writeFileSync(join(cwd, "list.ts"), TYPESCRIPT);
    writeFileSync(join(cwd, "list.py"), PYTHON);
    await call(`npm install --no-audit --no-fund --ignore-scripts ${GENERATORS.join(" ")}`);

    await call("node node_modules/openapi-typescript/bin/cli.js openapi.json -o api.ts");
    await call(
      "node node_modules/typescript/bin/tsc --strict --noEmit --module esnext --moduleResolution bundler " +
        "--target es2022 --lib es2022,dom,dom.iterable --allowImportingTsExtensions list.ts",
    ).catch(({ stdout }: { stdout: string }) => expect(stdout).toBe(""));
    expect(await call(`${process.execPath} list.ts ${asked}`)).toBe("buy 2 155\n");

    await call("npx openapi-down-convert --input openapi.json --output openapi30.json --allOf");
    await call(
      "java -jar node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar generate " +
        "-i openapi30.json -g python -o . --package-name wheelhouse --skip-validate-spec",
    );
    await call("python3 -m compileall -q wheelhouse list.py");
    expect(await call(`python3 list.py ${asked}`)).toBe("buy 2 155\n");
  },
  600_000,
);
