import type { AccountState } from "../../src/practice/runtime/account-state.ts";
import { SYSTEM_PROGRAM } from "../../src/solana/programs/system.ts";
import {
  multisigCodec,
  programConfigCodec,
  proposalCodec,
  spendingLimitCodec,
  vaultTransactionCodec,
} from "../../src/solana/programs/squads-accounts.ts";
import { mintCodec, TOKEN_PROGRAM, tokenAccountCodec } from "../../src/solana/programs/token.ts";
import { priceUpdateLayout } from "../../src/solana/programs/pyth-receiver.ts";
import { perpMarketLayout } from "../../src/venues/drift/layout-perp-market.ts";
import { spotMarketLayout } from "../../src/venues/drift/layout-spot-market.ts";
import { stateLayout } from "../../src/venues/drift/layout-state.ts";
import { userStatsLayout } from "../../src/venues/drift/layout-user-stats.ts";
import { userLayout } from "../../src/venues/drift/layout-user.ts";
import type { Difference } from "./difference.ts";

interface Reader {
  readonly name: string;
  readonly decode: (data: Uint8Array) => unknown;
}

const ANCHOR_READERS: readonly Reader[] = [
  userLayout,
  userStatsLayout,
  spotMarketLayout,
  perpMarketLayout,
  stateLayout,
  priceUpdateLayout,
  { name: "Multisig", decode: multisigCodec.decode },
  { name: "ProgramConfig", decode: programConfigCodec.decode },
  { name: "Proposal", decode: proposalCodec.decode },
  { name: "SpendingLimit", decode: spendingLimitCodec.decode },
  { name: "VaultTransaction", decode: vaultTransactionCodec.decode },
];

/** Returns the account's kind and its decoded fields; bytes for an unknown kind. */
function read({ owner, data }: AccountState): readonly [name: string, value: unknown] {
  if (owner === TOKEN_PROGRAM && data.length === 165) {
    return ["TokenAccount", tokenAccountCodec.decode(data)];
  }
  if (owner === TOKEN_PROGRAM && data.length === 82) return ["Mint", mintCodec.decode(data)];
  for (const { name, decode } of ANCHOR_READERS) {
    try {
      return [name, decode(data)];
    } catch {
      // Another kind of account
    }
  }
  return ["Account", data];
}

const show = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part)) ??
  "nothing";

function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value);
}

function fieldsThatDiffer(path: string, practice: unknown, real: unknown): readonly Difference[] {
  if (isBytes(practice) && isBytes(real)) {
    const same = Buffer.from(practice).equals(Buffer.from(real));
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
    return same ? [] : [{ id: path, practice: hex(practice), real: hex(real) }];
  }
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null;
  if (!isObject(practice) || !isObject(real)) {
    return practice === real ? [] : [{ id: path, practice: show(practice), real: show(real) }];
  }
  const keys = new Set([...Object.keys(practice), ...Object.keys(real)]);
  return [...keys].flatMap((key) => {
    // Places in a list are not told apart, so that a row speaks of all of them
    const at = Array.isArray(practice) ? `${path}[]` : `${path}.${key}`;
    return fieldsThatDiffer(at, practice[key], real[key]);
  });
}

const isNobody = (state: AccountState | null) => state === null || state.lamports === 0n;

/** Compares one account of both chains: existence, owner, lamports and every byte, field by field. */
export function compareAccounts(
  practice: AccountState | null,
  real: AccountState | null,
): readonly Difference[] {
  if (isNobody(practice) && isNobody(real)) return [];
  if (practice === null || real === null || isNobody(practice) !== isNobody(real)) {
    const present = practice ?? real;
    const name = present === null ? "Account" : read(present)[0];
    const exists = (state: AccountState | null) => (isNobody(state) ? "absent" : "exists");
    return [{ id: `exists.${name}`, practice: exists(practice), real: exists(real) }];
  }
  const [name, practiceValue] = read(practice);
  const [realName, realValue] = read(real);
  const found: Difference[] = [];
  const note = (id: string, ours: unknown, theirs: unknown) => {
    if (ours !== theirs) found.push({ id, practice: show(ours), real: show(theirs) });
  };
  const kind = name === "Account" && practice.owner === SYSTEM_PROGRAM ? "Wallet" : name;
  note(`kind.${kind}`, name, realName);
  note(`lamports.${kind}`, practice.lamports, real.lamports);
  note(`owner.${kind}`, practice.owner, real.owner);
  note(`size.${kind}`, practice.data.length, real.data.length);
  const fields = fieldsThatDiffer(`field.${kind}`, practiceValue, realValue);
  found.push(...fields);
  if (fields.length === 0 && !Buffer.from(practice.data).equals(Buffer.from(real.data))) {
    note(`bytes.${kind}`, Buffer.from(practice.data).toString("hex"), "other bytes of no field");
  }
  return found;
}
