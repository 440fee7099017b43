import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";

const run = promisify(execFile);
const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** A copy of the sources, in which a row of ARCHITECTURE.md is followed. */
let copy: string;

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), "wheelhouse-rows-"));
  for (const name of ["src", "test", "package.json", "tsconfig.base.json", "vitest.config.ts"]) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
});

afterEach(() => rmSync(copy, { recursive: true, force: true }));

/** Returns the files a row names, relative to the checkout, with the placeholder filled in. */
function filesOf(row: string, name: string): readonly string[] {
  const line = readFileSync(join(root, "ARCHITECTURE.md"), "utf8")
    .split("\n")
    .find((each) => each.startsWith(`| ${row} |`));
  const named = [...(line ?? "").matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
  return named.map((path) =>
    (path.startsWith("test/") ? path : `src/${path}`).replace(/<\w+>/, name),
  );
}

const create = (path: string, text: string) =>
  writeFileSync(join(copy, path), text, { flag: "wx" });

/** Adds lines after the first line that ends with each text. */
function addLines(path: string, lines: readonly (readonly [after: string, line: string])[]): void {
  let text = readFileSync(join(copy, path), "utf8");
  for (const [after, line] of lines) {
    expect(text).toContain(`${after}\n`);
    text = text.replace(`${after}\n`, `${after}\n${line}\n`);
  }
  writeFileSync(join(copy, path), text);
}

/** Runs a program of the packages in the copy and returns its exit code and what it printed. */
async function check(program: string, ...args: string[]): Promise<string> {
  const file = join(root, "node_modules", ...program.split("/"));
  const done = run(process.execPath, [file, ...args], { cwd: copy });
  return done.then(
    () => "passed",
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}\n${stderr}`,
  );
}

async function checkTypes(files: readonly string[]): Promise<string> {
  const compilerOptions = {
    lib: ["ES2023", "ES2024.String", "DOM", "DOM.Iterable"],
    jsx: "react-jsx",
    types: ["node", "vite/client"],
  };
  writeFileSync(
    join(copy, "tsconfig.json"),
    JSON.stringify({ extends: "./tsconfig.base.json", compilerOptions, files }),
  );
  return check("@typescript/native-preview/bin/tsgo", "-p", "tsconfig.json");
}

const AROON = `
import { HIGH, type Indicator, LOW, period } from "./indicator.ts";

/** Aroon: how recent the highest high and the lowest low of the last bars are, in percent. */
export const aroon = {
  label: "Aroon",
  fullName: "age of extremes",
  parameters: [period(25)],
  outputs: ["up", "down"],
  hasSource: false,
  lookBack: ([n]) => n + 1,
  pineFunctions: ["ta.highestbars", "ta.lowestbars"],
  create: ([n]) => {
    const highs: number[] = [];
    const lows: number[] = [];
    return (bar, values) => {
      highs.push(bar[HIGH] ?? 0);
      lows.push(bar[LOW] ?? 0);
      if (highs.length <= n) return;
      if (highs.length > n + 1) {
        highs.shift();
        lows.shift();
      }
      values[0] = (100 * highs.indexOf(Math.max(...highs))) / n;
      values[1] = (100 * lows.indexOf(Math.min(...lows))) / n;
    };
  },
  pine: (id, [n]) => [
    \`\${id}_up = 100 * (ta.highestbars(high, \${n} + 1) + \${n}) / \${n}\`,
    \`\${id}_down = 100 * (ta.lowestbars(low, \${n} + 1) + \${n}) / \${n}\`,
  ],
} as const satisfies Indicator;
`;

/** Values of Aroon 25 that Stock.Indicators publishes in its tests, as bar, up and down. */
const PUBLISHED_AROON = [
  [210, 100, 0],
  [293, 0, 40],
  [298, 0, 20],
  [458, 0, 100],
  [501, 28, 88],
] as const;

it("the row for an indicator names all files it needs", async () => {
  const [entry = "", table = "", published = "", ...more] = filesOf("an indicator", "aroon");
  expect(more).toEqual([]);
  create(entry, AROON);
  addLines(table, [
    [
      'import { adx } from "../indicators/adx.ts";',
      'import { aroon } from "../indicators/aroon.ts";',
    ],
    ["  ADX: adx,", "  AROON: aroon,"],
  ]);
  const rows = PUBLISHED_AROON.flatMap(([bar, up, down]) => [
    `AROON,25,up,Aroon.Tests.cs,${bar},${up}`,
    `AROON,25,down,Aroon.Tests.cs,${bar},${down}`,
  ]);
  const file = join(copy, published);
  writeFileSync(file, `${readFileSync(file, "utf8").trimEnd()}\n${rows.join("\n")}\n`);

  const tests = [
    "src/domain/indicators/indicators.test.ts",
    "src/domain/condition",
    "src/contract/condition.test.ts",
    "src/strategy/pine/pine.test.ts",
  ];
  const pages = ["src/client/features/agent/rules/condition-form.tsx"];
  expect(await checkTypes([...pages, "src/strategy/pine/pine.ts", "src/strategy/grid.ts"])).toBe(
    "passed",
  );
  expect(await check("vitest/vitest.mjs", "run", "--project", "unit", ...tests)).toBe("passed");
});

const NTFY = `
import * as z from "zod/mini";
import { defineChannel, httpsAddress } from "./channel.ts";

export const ntfy = defineChannel({
  kind: "ntfy",
  title: "ntfy",
  icon: "send",
  shape: { server: httpsAddress, topic: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/)) },
  form: [
    { name: "server", label: "Server", hint: "", placeholder: "https://ntfy.sh", wrong: "No server." },
    { name: "topic", label: "Topic", hint: "", placeholder: "", wrong: "No topic." },
  ],
  labelOf: ({ topic }) => topic.slice(0, 3),
  placeOf: ({ server, topic }) => \`the topic \${topic} at \${new URL(server).host}\`,
});
`;

const NTFY_SENDER = `
import * as z from "zod/mini";
import { NotDelivered, type SendNotice } from "../channel.ts";
import type { PostOutside } from "../post-outside.ts";
import { delivered } from "./webhook.ts";

const ntfyTarget = z.strictObject({ server: z.string(), topic: z.string() });

/** Publishes notices on the owner's topic. */
export function createNtfySender(post: PostOutside): SendNotice {
  return async (target, { title, body, url }) => {
    const { server, topic } = ntfyTarget.parse(JSON.parse(target));
    const message = JSON.stringify({ topic, title, message: body, click: url });
    const answer = await delivered(post(server, { "content-type": "application/json" }, message));
    if (answer.status !== 200) throw new NotDelivered(\`The server answered \${answer.status}.\`);
  };
}
`;

it("the row for a notice channel names all files it needs", async () => {
  const [entry = "", list = "", sender = "", opened = "", ...more] = filesOf(
    "a way to tell them",
    "ntfy",
  );
  expect(more).toEqual([]);
  const pages = ["src/client/features/account/notices-dialog.tsx"];
  create(entry, NTFY);
  addLines(list, [['import { email } from "./email.ts";', 'import { ntfy } from "./ntfy.ts";']]);
  const text = readFileSync(join(copy, list), "utf8");
  writeFileSync(join(copy, list), text.replace("telegram, email,", "telegram, ntfy, email,"));
  create(sender, NTFY_SENDER);
  // The list of senders is the one place that the compiler asks for
  expect(await checkTypes([...pages, opened])).toContain("Property 'ntfy' is missing");
  addLines(opened, [
    [
      'import { createEmailSender } from "../notices/channels/email.ts";',
      'import { createNtfySender } from "../notices/channels/ntfy.ts";',
    ],
    ["    telegram: createTelegramSender(post, telegramUrl),", "    ntfy: createNtfySender(post),"],
  ]);
  expect(await checkTypes([...pages, opened])).toBe("passed");
});
