import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scratchRoot } from "../test/scratch-folder.ts";
import { freePort } from "../test/server-process.ts";
import { root } from "./root.mjs";

const PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "ARCHITECTURE.md"].concat(
  readdirSync(join(root, "docs")).flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : [])),
);

/** Commands run here as their page has them, in this order, and what they have said when they work. */
const RUN: readonly { readonly command: string; readonly says: RegExp; readonly goesOn?: true }[] =
  [
    { command: "npm run dev", says: /Page with hot reload: http/, goesOn: true },
    { command: "npm run seed", says: /Seeded an agent of the practice wallet/ },
    { command: "npm start", says: /ready at http/, goesOn: true },
    { command: "npm run --silent operate -- halt", says: /Halted in the database/ },
    { command: "npm run test:unit -- src/client/tabs", says: /Tests .*passed/ },
  ];

const THE_SAME = "what it starts is run here with other tests or figures";
const MINUTES = "takes minutes; it starts as those above do, which the static test below holds";
const SUITE = "a step of the suite this test is part of";
const CONTAINER = "needs a container engine; its steps are run by test/bare-root.test.ts";

/** Commands that are not run here, and why. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/^npm test$|^npm run (?:check|lint|typecheck)$/, SUITE],
  [/^npm run test:(?:unit|db|browser)\b/, THE_SAME],
  [/^(?:TWIN_SEEDS|BARE_NODES)=/, THE_SAME],
  [/^CLIENTS=1 |openapi/, "fetches generators from npm, which no test may need"],
  [/^npm run (?:bench|prove|fuzz|mutate|simulate|screenshots|pictures|sbom)\b/, MINUTES],
  [/^docker |^for image in |^done$/, CONTAINER],
  [/^npm run operate$|^node dist\/server\/operate\.js$/, "e2e/operate.spec.ts runs it"],
  [
    /^npm run operate -- doctor$/,
    "src/server/main/doctor.db.test.ts runs it, with all of outside played",
  ],
  [/^node dist\/server\/signer\.js$/, "e2e/signer-alone.spec.ts runs it"],
  [/^npm run mcp$|^node scripts\/mcp\.mjs$/, "src/server/routes/mcp.db.test.ts runs it"],
  [/<command>/, "not a command but the form of one"],
  [
    /^(?:sudo -u wheelhouse|systemctl|systemd-run|useradd|userdel|install|cp deploy|cd \/opt|echo|openssl|sed|mkdir|printf|\((?:umask|\. )|mv|rm|git pull) ?/,
    "changes the machine; test/bare-root.test.ts and e2e/operate.spec.ts run what is ours in it",
  ],
  [/^cp notice-keys |^cat notice-keys |^chown 1000\d |^\. \.\/\.env$/, CONTAINER],
  [
    /^wheelhouse-operate |^sh \/opt\/wheelhouse|^for (?:account|role|key) in |^cat web-word |^node --env-file=|^const derive |^for \(const use |^console\.log\(fs/,
    "e2e/service.spec.ts runs it",
  ],
  [/^PORT=8080 npm start$|^npm run build$/, THE_SAME],
  [/^npm config /, "a setting of npm's"],
];

/** Returns the commands of a page: its shell blocks, without comments, and its words in code style. */
function commandsOf(page: string): readonly string[] {
  const text = readFileSync(join(root, page), "utf8");
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = ""]) =>
    block.split("\n").map((line) => line.replace(/\s+#.*/, "").trim()),
  );
  const inline = [
    ...text.matchAll(/`((?:npm|node|docker|sudo|sh|[A-Z_]+=\S+ (?:npm|node)) [^`\n]+)`/g),
  ];
  return [...blocks, ...inline.map(([, command = ""]) => command)].filter(
    // Settings, not commands
    (line) => line !== "" && !/^[A-Z_]+=\S*$/.test(line),
  );
}

const documented = [...new Set(PAGES.flatMap(commandsOf))];

it("every documented command is run here, or has a reason why not", () => {
  expect(documented.length).toBeGreaterThan(25);
  const unknown = documented.filter(
    (line) =>
      !RUN.some(({ command }) => command === line) && !NOT_RUN.some(([form]) => form.test(line)),
  );
  expect(unknown).toEqual([]);
  for (const { command } of RUN) expect(documented).toContain(command);
});

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

it("every documented npm script is in package.json", () => {
  const named = documented.flatMap(
    (line) => /^npm run (?:--silent )?([\w:]+)/.exec(line)?.[1] ?? [],
  );
  expect(named.filter((name) => manifest.scripts[name] === undefined)).toEqual([]);
});

/** Returns the packages a script imports before any of its own lines has run. */
function packagesOf(file: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const source = readFileSync(file, "utf8");
  return [...source.matchAll(/^import .*?"([^"]+)";|^\} from "([^"]+)";/gm)].flatMap(
    ([, whole, ending]) => {
      const name = whole ?? ending ?? "";
      if (name.startsWith("node:")) return [];
      return name.startsWith(".") ? packagesOf(join(dirname(file), name), seen) : [name];
    },
  );
}

it("no command imports a package before the packages are installed", () => {
  const entries = Object.values(manifest.scripts).map(
    (script) => /scripts\/[\w-]+\.mjs/.exec(script)?.[0] ?? "",
  );
  expect(entries).not.toContain("");
  const needing = [...new Set(entries)].filter((entry) => packagesOf(join(root, entry)).length > 0);
  expect(needing).toEqual([]);
  expect(packagesOf(join(root, "scripts/dev-product.mjs"))).toContain("vite");
});

describe("in a fresh clone", () => {
  const clone = mkdtempSync(join(scratchRoot(), "wheelhouse-clone-"));
  const started: ChildProcess[] = [];
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    for (const path of execFileSync("git", listed, { cwd: root }).toString().split("\0")) {
      if (path === "" || !existsSync(join(root, path))) continue;
      mkdirSync(dirname(join(clone, path)), { recursive: true });
      cpSync(join(root, path), join(clone, path));
    }
    cpSync(join(root, ".cache/runtime"), join(clone, ".cache/runtime"), { recursive: true });
    // npm itself takes a minute, and test/bare-root.test.ts lets it; this one knows `ci` alone
    writeFileSync(
      join(clone, "npm.cjs"),
      `if (process.argv[2] !== "ci") throw new Error("npm " + process.argv[2]);
       require("node:fs").symlinkSync(${JSON.stringify(join(root, "node_modules"))}, "node_modules");`,
    );
    const { PATH, HOME } = process.env;
    env = { PATH, HOME, npm_execpath: join(clone, "npm.cjs"), PORT: String(await freePort([-1])) };
  });
  afterAll(async () => {
    await endStarted();
    rmSync(clone, { recursive: true, force: true });
  });

  async function endStarted(): Promise<void> {
    for (const child of started.splice(0)) {
      const ended = once(child, "close");
      child.kill("SIGTERM");
      await ended;
    }
  }

  it.each(RUN)("$command", async ({ command, says, goesOn }) => {
    // Each but those beside a running one is the clone's first command
    const isBeside = /seed$|operate/.test(command);
    if (!isBeside) {
      await endStarted();
      rmSync(join(clone, "node_modules"), { force: true });
    }
    // As npm does it, which would name itself as the npm to install with
    const [, name = "start", more = ""] =
      /^npm (?:run )?(?:--silent )?([\w:]+)(?: -- (.*))?$/.exec(command) ?? [];
    const script = `${manifest.scripts[name]} ${more}`;
    const child = spawn("sh", ["-c", script], {
      cwd: clone,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    started.push(child);
    let said = "";
    const isSaid = new Promise<true>((resolve) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk: Buffer) => {
          said += chunk.toString();
          if (says.test(said)) resolve(true);
        });
      }
    });
    const ended = once(child, "close").then(([code]) => code as number);
    if (goesOn) expect(await Promise.race([isSaid, ended]), said).toBe(true);
    else {
      expect(await ended, said).toBe(0);
      started.splice(started.indexOf(child), 1);
      expect(said).toMatch(says);
    }
  });
});
