import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { Client } from "pg";
import {
  type EmbeddedPostgres,
  launchPostgres,
} from "../src/server/store/launch/launch-postgres.ts";
import { socketUrl } from "../src/server/store/launch/passwords.ts";
import { type Machine, noSystemd, startSystemd } from "../test/systemd.ts";
import { deriveNoticeKeys } from "../src/server/notices/encrypt-target.ts";
import { findInMemory } from "../test/memory.ts";
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
const [APART = ""] = blocksWith(page("upgrading.md"), "wheelhouse-web.env");
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
  doctor: ["doctor", /^Last checked on /m],
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
/** Password of a role of the database; web's role has no ending of its own. */
const passwordOf = (role: string) => `secret${role || "_web"}`;
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
    .replaceAll(
      /of_own(\w*) login password '…'/g,
      (_, role: string) => `of_own${role} login password '${passwordOf(role)}'`,
    )
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
  const said = status === 0 ? "" : machine.run("journalctl --lines=40").stdout;
  expect(status, `${script}\n${stdout}${stderr}${said}`).toBe(0);
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

const OWNER_URL = inside("_owner", passwordOf("_owner"));

/** Lines of each unit's settings, as the page's table has them. */
const settings = (): Readonly<Record<string, Readonly<Record<string, string>>>> => {
  const all = { LOG_LEVEL: "warn", PUBLIC_URL: `http://127.0.0.1:${port}` };
  return {
    "wheelhouse-web": {
      ...all,
      PORT: String(port),
      DATABASE_URL: inside("", passwordOf("")),
    },
    wheelhouse: {
      ...all,
      DATABASE_URL: inside(""),
      DATABASE_TRADING_URL: inside("_trading", passwordOf("_trading")),
      DATABASE_SIGNER_URL: inside("_signer"),
      DATABASE_OWNER_URL: OWNER_URL,
    },
    "wheelhouse-signer": { ...all, DATABASE_URL: inside("_signer", passwordOf("_signer")) },
  };
};

/** Adds settings to a unit's file. */
const setting = (unit: string, given: Readonly<Record<string, string>>) =>
  `cat >> /etc/${unit}.env <<'X'\n${Object.entries(given)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("")}X`;

const SERVICES = "wheelhouse-web wheelhouse wheelhouse-signer";

/** Commands that work beside a server with the embedded database. */
const BESIDE = new Set(["halt", "reduce", "resume", "backup", "doctor"]);

/** Runs each command of the page's table as it says how for a service. */
async function runCommands({ isEmbedded = false } = {}): Promise<void> {
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
  const inUse = /^DATA_DIR: \/var\/lib\/wheelhouse is in use by process \d+; stop it/;
  const needStop = Object.entries({ ...COMMANDS, ...STOPPED }).filter(
    ([name]) => isEmbedded && !BESIDE.has(name),
  );
  const late = new Set(needStop.map(([name]) => name));
  for (const [name, each] of Object.entries(COMMANDS)) if (!late.has(name)) say(each);
  const database = () => machine.run("pgrep --exact --oldest postgres").stdout;
  const before = database();
  for (const [, [command]] of needStop)
    if (command !== "lookup-table practice") say([command, inUse]);
  expect(database()).toBe(before);
  machine.run(`systemctl stop ${SERVICES}`);
  for (const [name, each] of Object.entries({ ...COMMANDS, ...STOPPED }))
    if (late.has(name) || name in STOPPED) say(each);
  // Those that are installed
  machine.run(`systemctl start ${SERVICES}`);
  await untilHealthy();
  say(["resume", /^Resumed/]);
}

test("a service with the owner's address in its settings is installed and operated as the page says", async () => {
  const lines = INSTALL.replaceAll("NETWORKS=mainnet", "NETWORKS=practice").split("\n");
  const at = lines.findIndex((line) => line.startsWith("systemctl"));
  lines.splice(at, 0, ...Object.entries(settings()).map(([unit, given]) => setting(unit, given)));
  run(lines.join("\n"));
  await untilHealthy();
  await runCommands();
});

/** Processes of a unit, as this machine numbers them, the one that was started first. */
const processesOf = (unit: string): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cgroup`, "utf8").includes(`/${unit}.service`);
      } catch {
        return false;
      }
    })
    .map(Number)
    .toSorted((one, other) => one - other);

test("the account of pages reads no file, setting, credential or memory of the others, and its processes hold none of their secrets", async () => {
  const others = ["wheelhouse", "wheelhouse-signer"];
  const roots = others.flatMap((unit) => [
    `/var/lib/${unit}`,
    `/run/credentials/${unit}.service`,
    `/etc/${unit}.env`,
  ]);
  const known = (file: string) => run(`cat ${file}`).trim().split(/\s+/).at(-1) ?? "";
  run(`touch /var/lib/wheelhouse-signer/kept`);
  const files = run(`find ${roots.join(" ")} /etc/wheelhouse -maxdepth 1 -type f`)
    .trim()
    .split("\n");
  expect(files).toEqual(
    expect.arrayContaining([
      "/var/lib/wheelhouse/operator.key",
      "/var/lib/wheelhouse-signer/kept",
      "/run/credentials/wheelhouse.service/trading-word",
      "/run/credentials/wheelhouse-signer.service/delegate-secret",
      "/etc/wheelhouse/signer-word",
    ]),
  );
  const inMemory = others.map((unit) => `$(pgrep --uid=${unit})`).join(" ");
  const reaches = run(`cat > /tmp/reaches <<'X'
for file in "$@"; do
  (: < "$file") 2>/dev/null && echo "reads $file"
  (true >> "$file") 2>/dev/null && echo "writes $file"
done
for folder in ${roots.filter((path) => !path.endsWith(".env")).join(" ")} /etc/wheelhouse; do
  ls "$folder" >/dev/null 2>&1 && echo "lists $folder"
  touch "$folder/HALT" 2>/dev/null && echo "makes $folder/HALT"
done
true
X
pids="${inMemory}"
own=/run/credentials/wheelhouse-web.service/web-word
set -- $own ${files.join(" ")}
for pid in $pids; do set -- "$@" /proc/$pid/environ /proc/$pid/mem /proc/$pid/maps; done
[ $# -ge 25 ]
for pid in $pids; do setpriv --reuid=wheelhouse-web --regid=wheelhouse-web --clear-groups kill -0 $pid 2>/dev/null && echo "signals $pid"; done; true
setpriv --reuid=wheelhouse-web --regid=wheelhouse-web --groups=$(id -g wheelhouse-web),$(id -g wheelhouse-signer) sh /tmp/reaches "$@"`);
  // Without its own word, the second of two, nothing would say that anything can be read
  expect(reaches.trim().split("\n")).toEqual([
    "reads /run/credentials/wheelhouse-web.service/web-word",
  ]);

  const own = known("/etc/wheelhouse/web-word");
  const secrets = [
    ...["_owner", "_trading", "_signer"].map(passwordOf),
    known("/etc/wheelhouse/trading-word"),
    known("/etc/wheelhouse/delegate-secret"),
  ];
  const [main = 0, ...children] = processesOf("wheelhouse-web");
  expect(children.length).toBeGreaterThan(0);
  for (const pid of [main, ...children])
    expect(await findInMemory(pid, [own, ...secrets], pid === main ? [] : [main])).toEqual([own]);
  const session = /SESSION_SECRET=(\w+)/.exec(run("cat /etc/wheelhouse-web.env"))?.[1] ?? "";
  expect(session).toMatch(/^[0-9a-f]{64}$/);
  const [trading = 0, ...its] = processesOf("wheelhouse");
  for (const pid of [trading, ...its])
    expect(
      await findInMemory(pid, [session, own, passwordOf("")], pid === trading ? [] : [trading]),
    ).toEqual([]);
  await untilHealthy();

  // A halt that only the account of trading sees is shown all the same
  const state = async () => (await fetch(`http://127.0.0.1:${port}/status`)).text();
  expect(await state()).toContain("Orders are sent.");
  run("touch /var/lib/wheelhouse/HALT");
  await expect.poll(state).toContain("HALT is set");
  run("rm /var/lib/wheelhouse/HALT");
  await expect.poll(state).toContain("Orders are sent.");
});

test("with the owner's address as a credential the same commands work", async () => {
  run(OWNER_AS_CREDENTIAL);
  run(`echo '${OWNER_URL}' > /etc/wheelhouse/owner-url
    sed --in-place /DATABASE_OWNER_URL/d /etc/wheelhouse.env
    systemctl daemon-reload && systemctl restart wheelhouse`);
  await untilHealthy();
  await runCommands();
  // The brake works while the owner's address is put away
  run("mv /etc/wheelhouse/owner-url /etc/wheelhouse/away");
  expect(run(`${OPERATE} halt`)).toMatch(/^Halted in the database/);
  run("mv /etc/wheelhouse/away /etc/wheelhouse/owner-url");
  expect(run(`${OPERATE} resume`)).toMatch(/^Resumed/);
});

const installed = () => run("cat /opt/wheelhouse/which");
const pids = () => run(`systemctl show --property=MainPID --value ${SERVICES}`);

test("three upgrades in a row, one that fails, and back again, as the page says", async () => {
  run("chmod 0640 /etc/wheelhouse*.env");
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
  expect(run("stat --format=%a /etc/wheelhouse*.env").trim().split("\n")).toEqual([
    "600",
    "600",
    "600",
  ]);
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

test("a service that does all under one account is taken apart as the page says, and keeps its secrets", async () => {
  const secret = randomBytes(32).toString("hex");
  const whole = {
    ...settings()["wheelhouse"],
    ...settings()["wheelhouse-web"],
    SESSION_SECRET: secret,
  };
  run(`systemctl stop ${SERVICES}
    rm -r /etc/systemd/system/wheelhouse-web.service /etc/systemd/system/wheelhouse.service.d
    userdel wheelhouse-web && cd /etc/wheelhouse && rm ../wheelhouse-web.env *-word notice-keys owner-url
    openssl rand -hex 32 > /etc/wheelhouse/signer-word && chmod 600 /etc/wheelhouse/signer-word
    sed --in-place '/^DATABASE/d' /etc/wheelhouse.env
    ${setting("wheelhouse", whole)}
    systemctl daemon-reload && systemctl start wheelhouse-signer wheelhouse`);
  await untilHealthy();
  run(APART);
  await untilHealthy();
  const made = deriveNoticeKeys(Buffer.from(secret));
  const keys = [made.targets, made.codes].map((key) => Buffer.from(key).toString("hex"));
  const push = run("cat /var/lib/wheelhouse/push.secret").trim();
  expect(run("cat /etc/wheelhouse/notice-keys").trim().split("\n")).toEqual([...keys, push]);
  const pages = run("cat /etc/wheelhouse-web.env");
  expect(pages).toContain(`SESSION_SECRET=${secret}`);
  for (const role of ["_owner", "_trading", "_signer"])
    expect(pages).not.toContain(passwordOf(role));
  const trading = run("cat /etc/wheelhouse.env");
  expect(trading).not.toMatch(/SESSION_SECRET|secret_web/);
  await runCommands();
});

test("with the embedded database and the signer built in the same commands work", async () => {
  run(`systemctl stop ${SERVICES}
    cd /etc/systemd/system && rm -r wheelhouse-signer.service wheelhouse-web.service wheelhouse.service.d
    sed --in-place /^DATABASE/d /etc/wheelhouse.env
    ${setting("wheelhouse", { PORT: String(port) })}
    systemctl daemon-reload
    cd /opt/wheelhouse
    ${SIGNER_BUILT_IN}
    systemctl daemon-reload && systemctl start wheelhouse`);
  await untilHealthy();
  await runCommands({ isEmbedded: true });
});
