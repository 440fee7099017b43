import { createHmac } from "node:crypto";
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeKeyFile } from "../../test/key-file.ts";
import {
  loadConfig,
  loadLoneSigner,
  loadOperatorConfig,
  loadSessionSecret,
  loadSignerConfig,
  sessionDigest,
} from "./config.ts";
import { ConfigError, SETTING_NAMES } from "./environment.ts";

const root = join(import.meta.dirname, "../..");

/** Origins of the AI providers in the page's menu. */
const OFFERED = [
  "https://api.openai.com",
  "https://api.anthropic.com",
  "https://generativelanguage.googleapis.com",
  "http://localhost:11434",
  "http://localhost:1234",
];

const DATABASE_URL = "postgres://app@db/wheelhouse";
const KEY_SECRET = "9f86d081884c7d659a2feaa0c55ad015";
const RETIRED = "5feceb66ffc86f38d952786c6d696c79";
const SECRETS = {
  DELEGATE_SECRET_FILE: writeKeyFile(mkdtempSync(join(tmpdir(), "wheelhouse-keys-")), KEY_SECRET),
  SESSION_SECRET: "a3bf4f1b2b0b822cd15d6c15b0f00a08",
};

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "wheelhouse-config-"))));
afterEach(() => rmSync(folder, { recursive: true }));
afterAll(() => rmSync(dirname(SECRETS.DELEGATE_SECRET_FILE), { recursive: true }));

describe("loadConfig", () => {
  it("has a default for everything, with play money on both built-in networks", () => {
    const config = loadConfig({ DATA_DIR: folder });
    expect(config).toMatchObject({
      port: 4600,
      host: "127.0.0.1",
      publicUrl: "http://127.0.0.1:4600",
      databaseUrl: undefined,
      networks: ["practice", "paper"],
      aiOrigins: OFFERED,
      logLevel: "info",
      trustedProxies: [],
    });
  });

  it("allows every AI provider that the page offers, unless some are named", () => {
    const menu = readFileSync(join(root, "src/client/lib/ai/ai-settings.ts"), "utf8");
    const offered = [...menu.matchAll(/baseUrl: "([^"]+)"/g)].map(
      ([, url = ""]) => new URL(url).origin,
    );
    expect(offered).toEqual(OFFERED);
    const one = { DATA_DIR: folder, AI_ORIGINS: "https://api.openai.com" };
    expect(loadConfig(one).aiOrigins).toEqual(["https://api.openai.com"]);
  });

  it("accepts alerts from everybody with a token unless addresses are named", () => {
    expect(loadConfig({ DATA_DIR: folder }).alertSenders).toBeUndefined();
    const named = loadConfig({ DATA_DIR: folder, ALERT_SENDERS: "tradingview, 203.0.113.7" });
    expect([...(named.alertSenders ?? [])]).toEqual(
      expect.arrayContaining(["52.89.214.238", "203.0.113.7"]),
    );
    const refusal = (env: Record<string, string>) => () => loadConfig({ DATA_DIR: folder, ...env });
    expect(refusal({ ALERT_SENDERS: "TradingView Inc" })).toThrow(/^ALERT_SENDERS: must be/);
    const proxied = { ALERT_SENDERS: "tradingview", PUBLIC_URL: "https://trade.example" };
    expect(refusal(proxied)).toThrow(/^TRUSTED_PROXIES: needed because ALERT_SENDERS/);
    expect(refusal({ ...proxied, TRUSTED_PROXIES: "127.0.0.1" })).not.toThrow();
  });

  it("drains for five seconds behind a proxy, not at all without one, or as configured", () => {
    const drains = (env: Record<string, string>) =>
      loadConfig({ DATA_DIR: folder, ...env }).drainSeconds;
    expect(drains({})).toBe(0);
    expect(drains({ TRUSTED_PROXIES: "127.0.0.1" })).toBe(5);
    expect(drains({ TRUSTED_PROXIES: "127.0.0.1", DRAIN_SECONDS: "0" })).toBe(0);
    expect(drains({ DRAIN_SECONDS: "7" })).toBe(7);
    expect(() => drains({ DRAIN_SECONDS: "21" })).toThrow(/^DRAIN_SECONDS: must be from 0 to 20/);
  });

  it("requires the application's database role beside its owner's", () => {
    const owner = { DATA_DIR: folder, DATABASE_OWNER_URL: "postgres://owner@db/wheelhouse" };
    expect(() => loadConfig(owner)).toThrow(/^DATABASE_URL: needed/);
    const both = loadConfig({ ...owner, DATABASE_URL: "postgres://app@db/wheelhouse" });
    expect(both.databaseOwnerUrl).toBe("postgres://owner@db/wheelhouse");
  });

  it("reads the owner's address from a file of its own, which no other account may read", () => {
    const path = join(folder, "owner-url");
    const url = "postgres://owner:a-password@db/wheelhouse";
    const given = { DATA_DIR: folder, DATABASE_OWNER_FILE: path };
    const write = (text: string, mode = 0o600) => {
      writeFileSync(path, text);
      chmodSync(path, mode);
    };
    write(`${url}\n`);
    expect(() => loadConfig(given)).toThrow(/^DATABASE_URL: needed/);
    const whole = {
      ...given,
      DATABASE_URL: "postgres://web@db/wheelhouse",
      DATABASE_TRADING_URL: "postgres://trading@db/wheelhouse",
      DATABASE_SIGNER_URL: "postgres://signer@db/wheelhouse",
    };
    expect(loadConfig(whole).databaseOwnerUrl).toBe(url);
    expect(loadOperatorConfig(whole).databaseOwnerUrl).toBe(url);
    expect(() => loadConfig({ ...whole, DATABASE_OWNER_URL: url })).toThrow(
      /^DATABASE_OWNER_URL: unset it/,
    );
    for (const text of ["", "a-password", `${url}\n${url}`]) {
      write(text);
      expect(failureOf(whole)).toMatch(
        /^DATABASE_OWNER_FILE: [^\n]+ must have one line, [^\n]+\.$/,
      );
      expect(failureOf(whole)).not.toContain("a-password");
    }
    write(url, 0o640);
    expect(failureOf(whole)).toMatch(/^DATABASE_OWNER_FILE: [^\n]+ is open to other accounts/);
  });

  it("takes roles of their own for trading and the signer only together and beside an owner's", () => {
    const owner = {
      DATA_DIR: folder,
      DATABASE_URL: "postgres://web@db/wheelhouse",
      DATABASE_OWNER_URL: "postgres://owner@db/wheelhouse",
    };
    const trading = { DATABASE_TRADING_URL: "postgres://trading@db/wheelhouse" };
    const signer = { DATABASE_SIGNER_URL: "postgres://signer@db/wheelhouse" };
    expect(loadConfig(owner).processUrls).toBeUndefined();
    expect(() => loadConfig({ ...owner, ...trading })).toThrow(/^DATABASE_SIGNER_URL: needed/);
    expect(() => loadConfig({ ...owner, ...signer })).toThrow(/^DATABASE_TRADING_URL: needed/);
    const alone = { ...owner, DATABASE_OWNER_URL: "", ...trading, ...signer };
    expect(() => loadConfig(alone)).toThrow(/^DATABASE_OWNER_URL: needed/);
    expect(loadConfig({ ...owner, ...trading, ...signer }).processUrls).toEqual({
      trading: "postgres://trading@db/wheelhouse",
      signer: "postgres://signer@db/wheelhouse",
    });
  });

  it("leaves a role to another server only with a shared database", () => {
    expect(loadConfig({ DATA_DIR: folder }).roles).toEqual(["web", "trading"]);
    const alone = { DATA_DIR: folder, ROLES: "trading" };
    expect(() => loadConfig(alone)).toThrow(/^DATABASE_URL: needed because ROLES/);
    const shared = { ...alone, DATABASE_URL: "postgres://app@db/wheelhouse" };
    expect(loadConfig(shared).roles).toEqual(["trading"]);
    expect(() => loadConfig({ ...shared, ROLES: "signer" })).toThrow(
      "ROLES: must be a comma-separated list of web, trading.",
    );
  });

  it("names the new name of a renamed role", () => {
    const env = { DATA_DIR: folder, DATABASE_URL: "postgres://app@db/wheelhouse" };
    for (const roles of ["people", "people,trading", "trading, people"]) {
      expect(() => loadConfig({ ...env, ROLES: roles })).toThrow(
        /^ROLES: people is called web now; write web instead\.$/,
      );
    }
  });

  it("creates both secrets once, readable by this user only", () => {
    const first = loadConfig({ DATA_DIR: folder });
    expect(readdirSync(folder)).not.toContain("delegate.secret");
    const signer = loadSignerConfig({ DATA_DIR: folder, DATABASE_URL });
    expect(loadSignerConfig({ DATA_DIR: folder, DATABASE_URL })).toEqual(signer);
    expect(loadConfig({ DATA_DIR: folder }).noticeKeys).toEqual(first.noticeKeys);
    expect(loadSessionSecret({ DATA_DIR: folder })).not.toBe(signer.tradingKeySecret);
    for (const name of ["delegate.secret", "session.secret"]) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
  });

  it("treats an empty variable as not set", () => {
    expect(loadConfig({ ...SECRETS, DATA_DIR: folder, PORT: "", DATABASE_URL: " " })).toMatchObject(
      {
        port: 4600,
        databaseUrl: undefined,
      },
    );
  });

  it("reads lists, brackets an IPv6 host and drops a trailing slash", () => {
    const config = loadConfig({
      ...SECRETS,
      HOST: "::1",
      PORT: "0",
      NETWORKS: "practice, mainnet,practice",
      PRICE_SOURCES: "pyth, bybit=http://127.0.0.1:9000",
      AI_ORIGINS: "https://ai.example/, http://127.0.0.1:11434",
      RPC_URL_MAINNET: "https://one.example/?key=1, https://two.example",
    });
    expect(config.publicUrl).toBe("http://[::1]:0");
    expect(config.networks).toEqual(["practice", "mainnet"]);
    expect(config.priceSources).toEqual([
      { name: "pyth" },
      { name: "bybit", origin: "http://127.0.0.1:9000" },
    ]);
    expect(config.aiOrigins).toEqual(["https://ai.example", "http://127.0.0.1:11434"]);
    expect(config.rpcUrls.mainnet).toEqual(["https://one.example/?key=1", "https://two.example"]);
    const free = ["pyth-onchain", "binance", "bybit", "coinbase", "kraken"].map((name) => ({
      name,
    }));
    expect(loadConfig(SECRETS).priceSources).toEqual(free);
    const keyed = loadConfig({ ...SECRETS, PYTH_API_KEY: "p", JUPITER_API_KEY: "j" });
    expect(keyed.priceSources).toEqual(
      expect.arrayContaining([
        { name: "pyth", key: "p" },
        { name: "jupiter", key: "j" },
      ]),
    );
    const named = loadConfig({ ...SECRETS, PUBLIC_URL: "https://trade.example/" });
    expect(named.publicUrl).toBe("https://trade.example");
  });

  it.each([
    ["PORT", { PORT: "80a" }],
    ["PORT", { PORT: "70000" }],
    ["PUBLIC_URL", { PUBLIC_URL: "trade.example" }],
    ["PUBLIC_URL", { PUBLIC_URL: "https://trade.example/app" }],
    ["DATABASE_URL", { DATABASE_URL: "mysql://here" }],
    ["NETWORKS", { NETWORKS: "testnet" }],
    ["NETWORKS", { NETWORKS: "," }],
    ["PRICE_SOURCES", { PRICE_SOURCES: "mtgox" }],
    ["PRICE_SOURCES", { PRICE_SOURCES: "pyth-onchain=http://127.0.0.1:80" }],
    ["PRICE_SOURCES", { PRICE_SOURCES: "," }],
    ["PRICE_SOURCES", { PRICE_SOURCES: "pyth,pyth" }],
    ["PRICE_SOURCES", { PRICE_SOURCES: "pyth=https://prices.example" }],
    ["PRICE_SOURCES", { PRICE_SOURCES: "pyth=http://127.0.0.1.example:80" }],
    ["PRICE_SOURCES", { PRICE_SOURCES: "pyth=http://127.0.0.1:80/path" }],
    ["RPC_URL_DEVNET", { ...SECRETS, NETWORKS: "devnet" }],
    ["RPC_URL_MAINNET", { RPC_URL_MAINNET: "one.example" }],
    ["DELEGATE_SECRET_FILE", { NETWORKS: "mainnet", RPC_URL_MAINNET: "https://one.example" }],
    ["DELEGATE_SECRET_FILE", { DELEGATE_SECRET_FILE: "/nonexistent/file" }],
    ["DELEGATE_SECRET_FILE", { DELEGATE_SECRET_FILE: "/dev/null" }],
    ["DELEGATE_SECRET", { ...SECRETS, DELEGATE_SECRET: KEY_SECRET }],
    ["DELEGATE_SECRETS_RETIRED", { ...SECRETS, DELEGATE_SECRETS_RETIRED: RETIRED }],
    ["SESSION_SECRET", { SESSION_SECRET: "correct horse battery staple and more" }],
    ["PUBLIC_URL", { PUBLIC_URL: "http://trade.example" }],
    ["PUBLIC_URL", { HOST: "0.0.0.0" }],
    ["PUBLIC_URL", { PUBLIC_URL: "http://trade.example", ALLOW_PLAIN_HTTP: "no" }],
    ["ALLOW_PLAIN_HTTP", { ALLOW_PLAIN_HTTP: "true" }],
    [
      "SESSION_SECRET",
      { ...SECRETS, SESSION_SECRET: "", NETWORKS: "devnet", RPC_URL_DEVNET: "https://one.example" },
    ],
    ["AI_ORIGINS", { AI_ORIGINS: "https://ai.example/v1" }],
    ["AI_ORIGINS", { AI_ORIGINS: "ai.example" }],
    ["LOG_LEVEL", { LOG_LEVEL: "loud" }],
  ])("names %s in one line and creates nothing: %o", (name, env) => {
    const failed = failureOf({ DATA_DIR: folder, ...env });
    expect(failed).toMatch(new RegExp(`^${name}: [^\n]+\\.$`));
    expect(readdirSync(folder)).toEqual([]);
  });

  it("never repeats a secret in its message", () => {
    expect(failureOf({ DATA_DIR: folder, SESSION_SECRET: "hunter2" })).not.toContain("hunter2");
  });

  it("serves other machines without TLS only when configured", () => {
    const plain = { ...SECRETS, DATA_DIR: folder, HOST: "0.0.0.0" };
    expect(loadConfig({ ...plain, ALLOW_PLAIN_HTTP: "yes" }).publicUrl).toBe("http://0.0.0.0:4600");
    expect(loadConfig({ ...plain, PUBLIC_URL: "https://trade.example" }).host).toBe("0.0.0.0");
    expect(loadConfig({ ...plain, PUBLIC_URL: "http://localhost:4600" }).host).toBe("0.0.0.0");
  });

  it("refuses a data folder that every user may write to", () => {
    chmodSync(folder, 0o777);
    expect(failureOf({ DATA_DIR: folder })).toMatch(
      /^DATA_DIR: every user [^\n]+ chmod o-w on it\.$/,
    );
    chmodSync(folder, 0o775);
    expect(loadConfig({ DATA_DIR: folder }).dataDir).toBe(folder);
  });

  it("names the data folder when it is a file", () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    expect(failureOf({ DATA_DIR: file })).toMatch(/^DATA_DIR: cannot use .* \(ENOTDIR\);[^\n]+$/);
  });
});

describe("the file of the trading keys' secrets", () => {
  const signer = (path: string, more: Record<string, string> = {}) =>
    loadSignerConfig({ DATABASE_URL, DELEGATE_SECRET_FILE: path, ...more });
  const file = (...secrets: readonly string[]) => writeKeyFile(folder, ...secrets);

  it("has the present secret in its first line and former ones below", () => {
    const { tradingKeySecret, retiredTradingKeySecrets } = signer(file(KEY_SECRET, RETIRED));
    expect([tradingKeySecret, retiredTradingKeySecrets]).toEqual([KEY_SECRET, [RETIRED]]);
  });

  it("is read by nobody before the signer: a start only looks at it", () => {
    const path = file("nothing of the kind");
    expect(loadConfig({ DATA_DIR: folder, DELEGATE_SECRET_FILE: path }).dataDir).toBe(folder);
    expect(() => signer(path)).toThrow(/ must have one random secret a line, [^\n]+\.$/);
  });

  const REFUSED: readonly (readonly [string, string, (path: string) => string])[] = [
    ["is missing", "is not there", (path) => `${path}-away`],
    ["is open to its group", "is open to other accounts", (path) => (chmodSync(path, 0o640), path)],
    ["is open to all", "is open to other accounts", (path) => (chmodSync(path, 0o604), path)],
    ["is a folder", "is not a file", () => folder],
    ["is a link", "is a link", (path) => (symlinkSync(path, `${path}-link`), `${path}-link`)],
    ["is behind a file", "cannot be read (ENOTDIR)", (path) => join(path, "file")],
  ];
  it.each(REFUSED)("is refused in one line, unopened, when it %s", (_, fault, change) => {
    const DELEGATE_SECRET_FILE = change(file(KEY_SECRET));
    const said = failureOf({ DATA_DIR: folder, DELEGATE_SECRET_FILE });
    expect(said).toMatch(/^DELEGATE_SECRET_FILE: [^\n]+\.$/);
    expect(said).toContain(`${DELEGATE_SECRET_FILE} ${fault}`);
    expect(() => signer(DELEGATE_SECRET_FILE)).toThrow(said);
  });

  it.skipIf(process.getuid?.() !== 0)("is refused when it belongs to another account", () => {
    const path = file(KEY_SECRET);
    chownSync(path, 20_002, 20_002);
    expect(() => signer(path)).toThrow(/ belongs to another account; run chown on it\.$/);
  });

  it.each([
    ["nothing", [""]],
    ["another length", [KEY_SECRET.slice(1)]],
    ["another form", ["correct horse battery staple and more"]],
    ["a repeated letter", ["d".repeat(64)]],
    ["a former secret of another length", [KEY_SECRET, "short"]],
    ["a former secret that is its present one", [KEY_SECRET, KEY_SECRET]],
  ])("is refused with %s in it, which is not repeated", (_, secrets) => {
    const path = file(...secrets);
    expect(() => signer(path)).toThrow(/^DELEGATE_SECRET_FILE: [^\n]+\.$/);
    expect(() => signer(path)).not.toThrow(/d{64}|correct horse/);
  });

  it("is refused when sessions are signed with the same secret", () => {
    const told = sessionDigest({ ...SECRETS, SESSION_SECRET: KEY_SECRET });
    expect(() => signer(file(KEY_SECRET), told as Record<string, string>)).toThrow(
      "SESSION_SECRET: must differ from the secret in DELEGATE_SECRET_FILE.",
    );
    expect(() =>
      signer(file(KEY_SECRET), sessionDigest({}) as Record<string, string>),
    ).not.toThrow();
  });

  it("is named to whoever has the secret in the environment, whose halt works all the same", () => {
    const env = { DATA_DIR: folder, DELEGATE_SECRET: KEY_SECRET };
    expect(failureOf(env)).toMatch(/named in DELEGATE_SECRET_FILE; to write it: \(umask 077; /);
    expect(failureOf(env)).not.toContain(KEY_SECRET);
    const operator = loadOperatorConfig(env);
    expect(operator.dataDir).toBe(folder);
    expect(operator.keySecrets).toThrow(/^DELEGATE_SECRET: unset it /);
  });
});

describe("a signer that runs by itself", () => {
  const wordOf = (caller: string) => createHmac("sha256", KEY_SECRET).update(caller).digest("hex");
  const word = () => writeKeyFile(folder, KEY_SECRET);
  const settings = () => ({
    DATA_DIR: folder,
    DATABASE_URL,
    SIGNER_SOCKETS: folder,
    SIGNER_WORD_FILE: word(),
    PUBLIC_URL: "http://127.0.0.1:4600",
  });

  it("gives each caller a word of its own, and a server of one role that one alone", () => {
    const [web, trading] = ["web", "trading"].map(wordOf);
    const path = join(folder, "words");
    const given = (text: string) => {
      writeFileSync(path, text, { mode: 0o600 });
      return { ...settings(), SIGNER_WORD_FILE: path };
    };
    expect(loadLoneSigner(given(`web ${web}\ntrading ${trading}\n`)).words).toEqual({
      web,
      trading,
    });
    const alone = { ...given(`web ${web}\n`), ROLES: "web" };
    expect(loadConfig(alone).loneSigner?.words).toEqual({ web });
    for (const text of [
      "web",
      `web ${web}\nweb ${trading}`,
      `web ${web}\ntrading ${web}`,
      `web ${web} ${web}`,
      `signer ${web}`,
      "web short",
      `web ${web}\n${trading}`,
    ])
      expect(failureOf(given(text)), text).toMatch(
        /^SIGNER_WORD_FILE: [^\n]+ must have one [^\n]+\.$/,
      );
  });

  it("leaves a server that only trades without the secret of sessions, which has the keys of notices", () => {
    const path = join(folder, "notice-keys");
    const lines = ["1", "2", "3"].map((digit) => digit.repeat(64));
    const { SESSION_SECRET, ...real } = {
      ...settings(),
      ...SECRETS,
      DELEGATE_SECRET_FILE: "",
      NETWORKS: "mainnet",
      RPC_URL_MAINNET: "https://one.example",
      NOTICE_KEYS_FILE: path,
    };
    writeFileSync(path, lines.join("\n"), { mode: 0o600 });
    const bytes = (digit: number) => Buffer.alloc(32, digit * 17);
    const noticeKeys = { targets: bytes(1), codes: bytes(2), push: bytes(3) };
    expect(loadConfig({ ...real, ROLES: "trading" }).noticeKeys).toEqual(noticeKeys);
    expect(loadConfig({ ...real, SESSION_SECRET, ROLES: "web" }).noticeKeys).toEqual(noticeKeys);
    expect(failureOf({ ...real, ROLES: "web" })).toMatch(/^SESSION_SECRET: needed/);
    expect(failureOf({ ...real, ROLES: "trading", NOTICE_KEYS_FILE: "" })).toMatch(
      /^SESSION_SECRET: needed/,
    );
    expect(readdirSync(folder).filter((name) => /^(session|push)/.test(name))).toEqual([]);
    for (const text of [lines.slice(1).join("\n"), [...lines, lines[0]].join("\n"), "1\n2\n3"]) {
      writeFileSync(path, text);
      expect(failureOf({ ...real, ROLES: "trading" })).toMatch(
        /^NOTICE_KEYS_FILE: [^\n]+ must have three lines/,
      );
    }
  });

  it("is known to a server by its folder and the secret of the words, without the keys' file", () => {
    const real = { NETWORKS: "mainnet", RPC_URL_MAINNET: "https://one.example" };
    const { SESSION_SECRET } = SECRETS;
    const found = { folder, words: { web: wordOf("web"), trading: wordOf("trading") } };
    expect(loadConfig({ ...settings(), ...real, SESSION_SECRET }).loneSigner).toEqual(found);
    expect(loadLoneSigner(settings())).toEqual({ ...found, databaseUrl: DATABASE_URL });
    expect(loadConfig({ DATA_DIR: folder }).loneSigner).toBeUndefined();
  });

  it.each<[string, Record<string, string>]>([
    ["SIGNER_SOCKETS", { SIGNER_SOCKETS: "" }],
    ["SIGNER_WORD_FILE", { SIGNER_WORD_FILE: "" }],
    ["SIGNER_WORD_FILE", { SIGNER_WORD_FILE: "/nonexistent/file" }],
    ["SIGNER_WORD_FILE", { SIGNER_WORD_FILE: "/dev/null" }],
    ["DATABASE_URL", { DATABASE_URL: "" }],
  ])("needs %s: %j is refused in one line", (name, change) => {
    const env = { ...settings(), ...change };
    const line = new RegExp(`^${name}: [^\\n]+\\.$`);
    expect(failureOf(env)).toMatch(line);
    expect(() => loadLoneSigner(env)).toThrow(line);
  });

  it("keeps its password of the database to itself: the server's address only names its role", () => {
    const other = (role: string) => `postgres://${role}@127.0.0.1/wheelhouse`;
    const env = (signer: string) => ({
      ...settings(),
      DATABASE_OWNER_URL: other("owner:a"),
      DATABASE_TRADING_URL: other("trading:b"),
      DATABASE_SIGNER_URL: signer,
    });
    expect(loadConfig(env(other("signer"))).processUrls?.signer).toBe(other("signer"));
    for (const signer of [other("signer:c"), `${other("signer")}?password=c`]) {
      expect(failureOf(env(signer))).toMatch(/^DATABASE_SIGNER_URL: leave its password out/);
    }
  });

  it("is refused a file of words with two lines or open to others", () => {
    const env = settings();
    writeKeyFile(folder, KEY_SECRET, RETIRED);
    expect(failureOf(env)).toMatch(
      /^SIGNER_WORD_FILE: [^\n]+ must have one random secret; [^\n]+\.$/,
    );
    chmodSync(env.SIGNER_WORD_FILE, 0o644);
    expect(failureOf(env)).toMatch(
      /^SIGNER_WORD_FILE: [^\n]+ is open to other accounts; [^\n]+\.$/,
    );
  });

  it("needs the address that owners' texts name", () => {
    const { PUBLIC_URL: _, ...env } = settings();
    expect(() => loadLoneSigner(env)).toThrow(/^PUBLIC_URL: [^\n]+\.$/);
  });

  it("leaves no server the file of the keys", () => {
    const env = { ...settings(), DELEGATE_SECRET_FILE: SECRETS.DELEGATE_SECRET_FILE };
    expect(failureOf(env)).toMatch(/^DELEGATE_SECRET_FILE: unset it, [^\n]+\.$/);
  });
});

function failureOf(env: Record<string, string>): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("the settings were accepted");
}

describe("the lists of settings", () => {
  const sorted = SETTING_NAMES.toSorted();

  it("in the README name exactly the existing settings", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const table = readme.split("## Configuration")[1]?.split("\n## ")[0] ?? "";
    const named = table
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([A-Z_]+)`/g)])
      .map(([, name = ""]) => name);
    expect(new Set(named)).toEqual(new Set(sorted));
    expect(named).toHaveLength(sorted.length);
  });

  it("in .env.example name exactly the existing settings, and set none", () => {
    const lines = readFileSync(join(root, ".env.example"), "utf8").split("\n");
    const named = lines.flatMap((line) => /^# ([A-Z_]+)=/.exec(line)?.[1] ?? []);
    expect(named.toSorted()).toEqual(sorted);
    expect(lines.filter((line) => line !== "" && !line.startsWith("#"))).toEqual([]);
  });

  it("in README and .env.example give the same defaults", () => {
    const rows = readFileSync(join(root, "README.md"), "utf8").matchAll(
      /^\| `([A-Z_]+)` \| `([^`A-Z]+)` \|/gm,
    );
    const given = [...rows].map(([, name = "", value = ""]) => `# ${name}=${value}`);
    expect(given.length).toBeGreaterThan(8);
    const example = readFileSync(join(root, ".env.example"), "utf8").split("\n");
    expect(given.filter((line) => !example.includes(line))).toEqual([]);
  });

  it("refuses a token for scrapers that could be guessed", () => {
    expect(() => loadConfig({ ...SECRETS, DATA_DIR: folder, METRICS_TOKEN: "short" })).toThrow(
      "METRICS_TOKEN: must have at least 16 characters.",
    );
  });
});
