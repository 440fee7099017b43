import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../../scripts/root.mjs";
import { SETTING_NAMES } from "../environment.ts";
import { PRICE_DIALECTS } from "../../venues/price-dialects.ts";
import { OUTSIDE } from "./outside.ts";

/** Where a host could be asked or linked: what runs, what installs it, and what deploys it. */
const FOLDERS = ["src", "scripts", "deploy", "Dockerfile", "compose.yaml"];

/** Hosts that nobody asks: of examples, of this machine, of XML, and domains of mail addresses. */
const NOBODY =
  /^(?:localhost|\d+\.\d+\.\d+\.\d+|\[.*|HOST|host|www\.w3\.org|(?:google|g)mail\.com|(?:.*\.)?(?:example|test|invalid|local)|(?:[a-z0-9-]+\.)?example\.(?:com|org))$/;

/** A host behind a scheme, and one in quotes alone. */
const BEHIND_SCHEME = /\b(?:https?|wss?|smtps?):\/\/(?:[^\s"'`/@]*@)?([\w.-]*[\w])/g;
const ALONE =
  /["'`]((?:[a-z0-9-]+\.)+(?:com|org|net|io|ag|app|ai|dev|xyz|network|vision|exchange|finance|trade|so|fi|cloud))(?=["'`/:])/g;

const hostsIn = (text: string): readonly string[] =>
  [BEHIND_SCHEME, ALONE]
    .flatMap((pattern) => [...text.matchAll(pattern)].map(([, host = ""]) => host))
    .filter((host) => host.includes(".") && !NOBODY.test(host));

const isTest = (path: string) => /\.test\.tsx?$/.test(path);

function filesUnder(path: string): readonly string[] {
  if (!FOLDERS.slice(0, 3).includes(path)) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !isTest(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

/** Hosts in a text that are neither in the list nor where its terms stand. */
function unlisted(text: string): readonly string[] {
  const pages = [
    ...OUTSIDE,
    ...Object.values(PRICE_DIALECTS).map(({ page: terms }) => ({ terms })),
  ];
  const known = new Set([
    ...OUTSIDE.map(({ host }) => host),
    ...pages.map(({ terms }) => new URL(terms).host),
  ]);
  return hostsIn(text).filter((host) => !known.has(host));
}

it("every host in what runs, installs or deploys is in the list of what is outside", () => {
  const files = FOLDERS.flatMap(filesUnder);
  expect(files.length).toBeGreaterThan(700);
  const found = files.flatMap((path) =>
    unlisted(readFileSync(join(root, path), "utf8")).map((host) => `${path}: ${host}`),
  );
  expect(found).toEqual([]);
});

it("a host that is written into a source without its entry is found", () => {
  for (const planted of [
    'const URL = "https://api.planted.example.io/v1";',
    'open("wss://stream.planted.com:9443")',
    'const host = "api.planted.network";',
    "fetch(`https://user@prices.planted.ag/${asset}`)",
  ]) {
    expect(unlisted(planted), planted).toHaveLength(1);
  }
  expect(
    unlisted('fetch("https://api.kraken.com/0/public/Time"); "http://127.0.0.1:4600"'),
  ).toEqual([]);
});

it("each host stands once, complete, with a setting that exists and a page of its terms", () => {
  const hosts = OUTSIDE.map(({ host }) => host);
  expect(new Set(hosts).size).toBe(hosts.length);
  for (const { terms, key, ...words } of OUTSIDE) {
    expect(Object.values(words).filter((word) => word === "")).toEqual([]);
    expect(
      words.askedBy
        .split(", ")
        .every((one) => ["server", "signer", "page", "reader", "build"].includes(one)),
    ).toBe(true);
    expect(key === "" || SETTING_NAMES.includes(key)).toBe(true);
    expect(new URL(terms).protocol).toBe("https:");
  }
});
