import {
  type AccountMeta,
  type Address,
  type Instruction,
  getBytesCodec,
  getU32Decoder,
} from "@solana/kit";
import { anchorStruct } from "../../solana/encoding/anchor.ts";
import {
  type FullInstruction,
  instruction,
  readonly,
  signer,
  writable,
} from "../../solana/encoding/instruction.ts";
import { deriveAddress } from "../../solana/encoding/pda.ts";
import { u16, u64, u8 } from "../../solana/number-codecs.ts";
import { JUPITER_PROGRAM } from "./instance.ts";

const figures = [
  ["inAmount", u64],
  ["quotedOutAmount", u64],
  ["slippageBps", u16],
  ["platformFeeBps", u16],
  ["positiveSlippageBps", u16],
  // Routes differ by exchange; their bytes are passed through without interpretation
  ["routePlan", getBytesCodec()],
] as const;

/** Codecs of the arguments of the two exact-input swaps; decoding another instruction's bytes throws. */
export const routeArguments = {
  routeV2: anchorStruct("global", "route_v2", figures),
  sharedAccountsRouteV2: anchorStruct("global", "shared_accounts_route_v2", [
    ["id", u8],
    ...figures,
  ]),
} as const;

type RouteFigures = ReturnType<typeof routeArguments.routeV2.decode>;

/**
 * Positions of the fixed accounts in each variant; the accounts after them belong to the pools. Source: Jupiter v6's
 * interface
 */
const ACCOUNTS = {
  routeV2: {
    authority: 0,
    source: 1,
    output: 2,
    destination: 7,
    sourceMint: 3,
    destinationMint: 4,
    sourceTokenProgram: 5,
    destinationTokenProgram: 6,
    eventAuthority: 8,
    program: 9,
    count: 10,
  },
  sharedAccountsRouteV2: {
    authority: 1,
    source: 2,
    output: 5,
    destination: 5,
    sourceMint: 6,
    destinationMint: 7,
    sourceTokenProgram: 8,
    destinationTokenProgram: 9,
    eventAuthority: 10,
    program: 11,
    count: 12,
  },
} as const;

export type RouteVariant = keyof typeof ACCOUNTS;

/** Accounts of a swap: `output` receives what is bought first, `destination` has it in the end. */
type RouteAccounts = Readonly<
  Record<Exclude<keyof (typeof ACCOUNTS)["routeV2"], "count">, Address>
>;

/** A decoded swap instruction: payer, input and output accounts. */
export interface RouteCall extends RouteFigures, RouteAccounts {
  readonly variant: RouteVariant;
  readonly pools: readonly AccountMeta[];
}

/** Address that signs the events of Jupiter's program. */
export const EVENT_AUTHORITY = deriveAddress(JUPITER_PROGRAM, ["__event_authority"]).address;

/** Largest plausible number of steps of a route within 64 accounts. */
const MAX_ROUTE_STEPS = 16;

/** Smallest size of a step in bytes: its kind, its share and two indexes. */
const MIN_STEP_BYTES = 5;

function readArguments(
  data: Uint8Array,
): { readonly variant: RouteVariant; readonly figures: RouteFigures } | null {
  for (const variant of ["routeV2", "sharedAccountsRouteV2"] as const) {
    try {
      return { variant, figures: routeArguments[variant].decode(data) };
    } catch {
      continue;
    }
  }
  return null;
}

/** Returns the number of steps a route plan states, or null when its bytes cannot hold them. */
function stepCount({ routePlan }: RouteFigures): number | null {
  if (routePlan.length < 4) return null;
  const count = getU32Decoder().decode(routePlan);
  return count <= MAX_ROUTE_STEPS && routePlan.length >= 4 + count * MIN_STEP_BYTES ? count : null;
}

/** Decodes an exact-input swap, or returns null for any other instruction. */
export function readRoute(given: Instruction): RouteCall | null {
  if (given.programAddress !== JUPITER_PROGRAM) return null;
  const read = readArguments(Uint8Array.from(given.data ?? []));
  if (read === null || (stepCount(read.figures) ?? 0) < 1) return null;
  const { variant } = read;
  const metas = given.accounts ?? [];
  const { count, ...places } = ACCOUNTS[variant];
  if (metas.length < count) return null;
  const named = Object.fromEntries(
    Object.entries(places).map(([name, place]) => [name, metas[place]?.address]),
  ) as RouteAccounts;
  return {
    ...read.figures,
    ...named,
    variant,
    // An absent optional account is written as the program itself
    destination: named.destination === JUPITER_PROGRAM ? named.output : named.destination,
    pools: metas.slice(count),
  };
}

/** Returns the smallest output the program pays: the quote less the slippage, with the program's rounding. */
export function minimumOutput(quotedOutAmount: bigint, slippageBps: number): bigint {
  return quotedOutAmount - (quotedOutAmount * BigInt(slippageBps)) / 10_000n;
}

/** Returns the same swap with another slippage limit, in basis points of the quote. */
export function withSlippage(given: FullInstruction, slippageBps: number): FullInstruction {
  const read = readArguments(given.data);
  if (read === null) throw new Error("The instruction is not a swap with an exact input");
  const data =
    read.variant === "routeV2"
      ? routeArguments.routeV2.encode({ ...read.figures, slippageBps })
      : routeArguments.sharedAccountsRouteV2.encode({
          ...routeArguments.sharedAccountsRouteV2.decode(given.data),
          slippageBps,
        });
  return { ...given, data: new Uint8Array(data) };
}

/** Returns a swap between the user's own accounts, as Jupiter's router builds it. */
export function routeV2(
  accounts: Pick<
    RouteCall,
    | "authority"
    | "source"
    | "destination"
    | "sourceMint"
    | "destinationMint"
    | "sourceTokenProgram"
    | "destinationTokenProgram"
    | "pools"
  >,
  args: Pick<RouteFigures, "inAmount" | "quotedOutAmount" | "slippageBps" | "routePlan">,
): FullInstruction {
  return instruction(
    JUPITER_PROGRAM,
    [
      signer(accounts.authority),
      writable(accounts.source),
      writable(accounts.destination),
      readonly(accounts.sourceMint),
      readonly(accounts.destinationMint),
      readonly(accounts.sourceTokenProgram),
      readonly(accounts.destinationTokenProgram),
      writable(accounts.destination),
      readonly(EVENT_AUTHORITY),
      readonly(JUPITER_PROGRAM),
      ...accounts.pools,
    ],
    routeArguments.routeV2.encode({ ...args, platformFeeBps: 0, positiveSlippageBps: 0 }),
  );
}
