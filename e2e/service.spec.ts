import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { Client } from "pg";
import {
  type EmbeddedPostgres,
  launchPostgres,
} from "../src/server/store/launch/launch-postgres.ts";
import { socketUrl } from "../src/server/store/launch/passwords.ts";
import { type Machine, noSystemd, startSystemd } from "../test/systemd.ts";
import { freePort, makeDataDir } from "./product.ts";
import { patient } from "../test/patient.ts";

const checkout = join(import.meta.dirname, "..");
const page = (name: string) => readFileSync(join(checkout, "docs", name), "utf8");

/** The shell and SQL blocks of a page that have a word in them. */
const blocksWith = (text: string, word: string): readonly string[] =>
  [...text.matchAll(/^```(?:sh|sql)\n(.*?)^```/gms)]
    .map(([, block = ""]) => block)
    .filter((block) => block.includes(word));

const operating = page("operating.md");
const [INSTALL = ""] = blocksWith(operating, "useradd");
const [OWNER_AS_CREDENTIAL = ""] = blocksWith(operating, "owner.conf");
const [SIGNER_BUILT_IN = ""] = blocksWith(operating, "built-in-signer.conf");
const [ROLES = ""] = blocksWith(operating, "create role");
const [UPGRADE = ""] = blocksWith(page("upgrading.md"), "wheelhouse-next/deploy/upgrade.sh");
const [BACK = ""] = blocksWith(page("upgrading.md"), "upgrade.sh back");
const OPERATE = /^\| service \| `(\S+) halt` \|/m.exec(operating)?.[1] ?? "";

/** Each command of the page's table, with what it says where no agent is; those after the line need the server stopped. */
const COMMANDS: Readonly<Record<string, readonly [string, RegExp]>> = {
  halt: ["halt", /^Halted in the database/],
  reduce: ["reduce", /^Reduced in the database/],
  resume: ["resume", /^Resumed in the database/],
  "lookup-table": ["lookup-table practice", /^A built-in chain has its lookup table/],
  "rotate-keys": ["rotate-keys --all", /^0 agents have new trading keys/],
  "revoke-keys": ["revoke-keys --all", /^0 keys withdrawn/],
  keys: ["keys", /^$/],
  trace: ["trace 00000000", /^00000000 is no order/],
  backup: ["backup a.backup", /whole and on the disk/],
};
const STOPPED: Readonly<Record<string, readonly [string, RegExp]>> = {
  restore: ["restore a.backup --replace", /^Trading is halted/m],
  "after-restore": ["after-restore", /^Trading is halted\. Agents that owners turned off/m],
};

const why = noSystemd();
test.describe.configure({ mode: "serial" });
test.skip(why !== "", why);

const { path: folder, remove } = makeDataDir();
let postgres: EmbeddedPostgres;
let machine: Machine;
let port: number;
const password = "secret";
const inside = (role: string, word?: string) =>
  socketUrl("/srv/database", "of_own", `of_own${role}`, word);

/** A release as it is unpacked, with its packages already there; a migration more changes the database. */
function makeRelease(name: string, { migrates = false, builds = true } = {}): void {
  const release = join(folder, "releases", name);
  mkdirSync(release, { recursive: true });
  for (const part of ["dist/server", "dist/client", "deploy", "package.json"])
    cpSync(join(checkout, part), join(release, part), { recursive: true });
  symlinkSync("/srv/node_modules", join(release, "node_modules"));
  writeFileSync(join(release, "which"), name);
  // The real one is run by test/bare-root.test.ts
  writeFileSync(join(release, "deploy/build-image.sh"), builds ? "" : "exit 1");
  if (!migrates) return;
  const server = join(release, "dist/server");
  const last = /\["0\d{3}-[\w-]+", (?:`[^`]*`|"[^"]*")\](?=\s*\];)/g;
  for (const file of readdirSync(server).filter((each) => each.startsWith("open-database-host"))) {
    const text = readFileSync(join(server, file), "utf8");
    const changed = text.replace(
      last,
      (all) => `${all}, ["9999-next", "create table of_the_next_release (n int)"]`,
    );
    writeFileSync(join(server, file), changed);
  }
}

test.beforeAll(async () => {
  if (why !== "") return;
  port = await freePort();
  postgres = await launchPostgres({ dataDir: join(folder, "postgres"), isKeptRunning: false });
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  for (const statement of ROLES.replaceAll("wheelhouse", "of_own")
    .replaceAll("…", password)
    .split(/;.*\n/))
    await client.query(statement);
  await client.end();
  makeRelease("first");
  const socket = new URL(postgres.url).searchParams.get("host") ?? "";
  // Passwords guard it here, as on a machine of its own
  chmodSync(socket, 0o711);
  for (const name of readdirSync(socket).filter((each) => each.startsWith(".s.")))
    chmodSync(join(socket, name), 0o777);
  machine = await startSystemd({
    "/srv/database": socket,
    "/srv/node_modules": join(checkout, "node_modules"),
    "/srv/releases": join(folder, "releases"),
    "/srv/node": join(process.execPath, ".."),
  });
  run("ln -sf /srv/node/node /usr/local/bin/node; cp -a /srv/releases/first /opt/wheelhouse");
});
test.afterAll(async () => {
  await machine?.stop();
  await postgres?.stop();
  remove();
});

/** Runs a script of the page inside; it has to succeed. */
function run(script: string): string {
  const { status, stdout, stderr } = machine.run(`set -e\n${script}`);
  expect([status, stderr], script).toEqual([0, expect.any(String)]);
  return stdout;
}

const isHealthy = () =>
  fetch(`http://127.0.0.1:${port}/api/health`, { headers: { connection: "close" } }).then(
    ({ ok }) => ok,
    () => false,
  );
const untilHealthy = () =>
  expect
    .poll(async () => (await isHealthy()) || machine.run("journalctl --lines=20").stdout, {
      timeout: patient(60_000),
    })
    .toBe(true);

const settings = {
  NETWORKS: "practice",
  LOG_LEVEL: "warn",
  DATABASE_URL: inside("", password),
  DATABASE_TRADING_URL: inside("_trading", password),
  DATABASE_SIGNER_URL: inside("_signer"),
  DATABASE_OWNER_URL: inside("_owner", password),
};

/** Runs each command of the page's table as it says how for a service. */
async function runCommands(): Promise<void> {
  const table = /^\| Command \| Effect \|$(.*?)\n\n/ms.exec(operating)?.[1] ?? "";
  const listed = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([a-z][a-z-]+)/g)].map(([, name]) => name),
  );
  expect(new Set(listed)).toEqual(new Set([...Object.keys(COMMANDS), ...Object.keys(STOPPED)]));
  const say = ([command, says]: readonly [string, RegExp]) => {
    const { stdout, stderr } = machine.run(`${OPERATE} ${command}`);
    expect(`${stdout}${stderr}`, command).toMatch(says);
    expect(`${stdout}${stderr}`, command).not.toMatch(/permission denied|Warning/);
  };
  machine.run("rm -f /var/lib/wheelhouse/a.backup");
  for (const each of Object.values(COMMANDS)) say(each);
  machine.run("systemctl stop wheelhouse wheelhouse-signer");
  for (const each of Object.values(STOPPED)) say(each);
  machine.run("systemctl start wheelhouse wheelhouse-signer");
  await untilHealthy();
  say(["resume", /^Resumed/]);
}

test("a service with the owner's address in its settings is installed and operated as the page says", async () => {
  const more = Object.entries({ ...settings, PORT: String(port) }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const signer = [
    `DATABASE_URL=${inside("_signer", password)}`,
    `PUBLIC_URL=http://127.0.0.1:${port}`,
    "LOG_LEVEL=warn",
  ];
  const lines = INSTALL.replaceAll("NETWORKS=mainnet", "NETWORKS=practice").split("\n");
  const at = lines.findIndex((line) => line.startsWith("systemctl"));
  lines.splice(
    at,
    0,
    `cat >> /etc/wheelhouse.env <<'X'\n${more.join("\n")}\nX`,
    `cat >> /etc/wheelhouse-signer.env <<'X'\n${signer.join("\n")}\nX`,
  );
  run(lines.join("\n"));
  await untilHealthy();
  await runCommands();
});

test("with the owner's address as a credential the same commands work", async () => {
  run(OWNER_AS_CREDENTIAL);
  run(`echo '${settings.DATABASE_OWNER_URL}' > /etc/wheelhouse/owner-url
    sed --in-place /DATABASE_OWNER_URL/d /etc/wheelhouse.env
    systemctl daemon-reload && systemctl restart wheelhouse`);
  await untilHealthy();
  await runCommands();
});

const installed = () => run("cat /opt/wheelhouse/which");
const pids = () => run("systemctl show --property=MainPID --value wheelhouse wheelhouse-signer");

test("three upgrades in a row, one that fails, and back again, as the page says", async () => {
  for (const name of ["second", "third", "fourth"]) {
    const before = pids();
    makeRelease(name, { migrates: name === "fourth" });
    run(`cp -a /srv/releases/${name} /opt/wheelhouse-next`);
    run(UPGRADE);
    expect(installed()).toBe(name);
    expect(await isHealthy()).toBe(true);
    for (const pid of pids().split(/\s+/))
      expect(before.split(/\s+/).filter(Boolean)).not.toContain(pid);
    expect(run("ls /opt | grep --count '^wheelhouse-2'").trim()).toBe(
      String(["second", "third", "fourth"].indexOf(name) + 1),
    );
  }
  makeRelease("broken", { builds: false });
  run("cp -a /srv/releases/broken /opt/wheelhouse-next");
  const before = pids();
  expect(machine.run(UPGRADE).status).not.toBe(0);
  expect([installed(), pids()]).toEqual(["fourth", before]);

  expect(run(BACK)).toMatch(/the newer release changed the database: restoring/);
  expect([installed(), await isHealthy()]).toEqual(["third", true]);
  expect(run(`${OPERATE} resume`)).toMatch(/^Resumed/);
  expect(run(BACK)).not.toMatch(/restoring/);
  expect([installed(), await isHealthy()]).toEqual(["second", true]);
  expect(run(BACK)).not.toMatch(/restoring/);
  expect([installed(), await isHealthy()]).toEqual(["first", true]);
  expect(machine.run(BACK).stderr).toMatch(/took the place of none/);
});

test("with the embedded database and the signer built in the same commands work", async () => {
  run(`systemctl stop wheelhouse wheelhouse-signer
    rm -r /etc/systemd/system/wheelhouse-signer.service /etc/systemd/system/wheelhouse.service.d /etc/wheelhouse/owner-url
    sed --in-place /^DATABASE/d /etc/wheelhouse.env
    cd /opt/wheelhouse
    ${SIGNER_BUILT_IN}
    systemctl daemon-reload && systemctl start wheelhouse`);
  await untilHealthy();
  await runCommands();
});
