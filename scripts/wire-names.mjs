import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Folder that defines the wire names. */
const CONTRACT = "src/contract";

/** Wire names with a different name in the code. */
const WIRE_ONLY = [
  "_id",
  "agentName",
  "assetPair",
  "baseAssetAmountFilled",
  "botId",
  "logId",
  "multisigPda",
  "pubkey",
  "slippageTolerance",
  "spendingLimitAsset",
  "spendingLimitConfigured",
  "spendingLimitUSDC",
  "squadsMultisig",
  "takerOrderDirection",
  "timestamps",
  "tradingStatus",
  "txSig",
  "vaultPda",
  "venueConfig",
  "webhookSignal",
];

/** Files that may use wire names: parsing and building of answers, and validation of calls. */
const ALLOWED = [
  /^src\/client\/queries\//,
  /^src\/server\/routes\//,
  /^src\/server\/[\w/-]+\/present-[\w-]+\.ts$/,
  /^src\/server\/agents\/wire-draft\.ts$/,
  /^src\/server\/auth\/change-to-confirm\.ts$/,
];

const SEARCHED = /^src\/(client|server|domain|strategy)\//;

const wholeWord = (names) => new RegExp(`(?<![\\w$])(?:${names.join("|")})(?![\\w$])`);

/** Returns the lines of production code under `root` that use a name of the wire, as `path:line: text`. */
export function wireNames(root) {
  const contract = filesBelow(root, CONTRACT).map((path) => read(root, path));
  const gone = WIRE_ONLY.filter((name) => !contract.some((text) => wholeWord([name]).test(text)));
  if (gone.length > 0) throw new Error(`${gone.join(", ")}: not in ${CONTRACT}, search for others`);
  const used = wholeWord(WIRE_ONLY);
  return filesBelow(root, "src")
    .filter((path) => SEARCHED.test(path) && !ALLOWED.some((allowed) => allowed.test(path)))
    .flatMap((path) =>
      read(root, path)
        .split("\n")
        .flatMap((line, at) => (used.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
    );
}

const read = (root, path) => readFileSync(join(root, path), "utf8");

function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${String(name).replaceAll("\\", "/")}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .sort();
}
