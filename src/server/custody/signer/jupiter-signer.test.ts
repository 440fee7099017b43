import { type Address, type Instruction } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import { signSpoiltSets } from "../../../../test/random-instructions.ts";
import { instruction, readonly, signer, writable } from "../../../solana/encoding/instruction.ts";
import { keypairFromSeed } from "../../../solana/encoding/keys.ts";
import { createAssociatedTokenIdempotent } from "../../../solana/programs/associated-token.ts";
import { setComputeUnitLimit } from "../../../solana/programs/compute-budget.ts";
import { spendingLimitUse, SQUADS_PROGRAM } from "../../../solana/programs/squads.ts";
import { SYSTEM_PROGRAM, transferLamports } from "../../../solana/programs/system.ts";
import {
  closeTokenAccount,
  TOKEN_PROGRAM,
  transferChecked,
  transferTokens,
} from "../../../solana/programs/token.ts";
import { createJupiterAllowList, sweep } from "../../../venues/jupiter/allow-list.ts";
import {
  assetOf,
  JUPITER_PRACTICE_INSTANCE as instance,
  JUPITER_PROGRAM,
  quoteToken,
  tokenAccountOf,
} from "../../../venues/jupiter/instance.ts";
import { routeV2 } from "../../../venues/jupiter/route-instruction.ts";
import { addLimit, limitAddress, removeLimit } from "../../../venues/jupiter/spending-limits.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import { createCustodyKeys } from "../account/custody-keys.ts";
import { passingLedger, rulesSaying, theAgent } from "../../../../test/passing-ledger.ts";
import { SigningRefusedError, type SigningRequest } from "../account/trading-key-signer.ts";
import { createTradingKeySigner } from "./create-trading-key-signer.ts";

const keys = createCustodyKeys(new Uint8Array(32).fill(7));
const rules = rulesSaying(createJupiterAllowList(instance));
const network = "practice";
const terms = {
  marketId: "SOL",
  slippageBps: 50,
  leverage: 1,
  stop: null,
  tradingState: "active",
} as const;

const addressNamed = (n: number): Address => keypairFromSeed(new Uint8Array(32).fill(n)).address;
const owner = addressNamed(1);
const stranger = addressNamed(2);
const table = addressNamed(3);
const pool = addressNamed(4);

const accountOf = (digit: string): VenueAccount => {
  const { multisig, vault, tradingKey } = keys.of(agentIdOf(digit));
  return {
    owner,
    multisig,
    vault,
    tradingKey: tradingKey.address,
    subAccountId: 0,
    marketId: "SOL",
  };
};
const account = accountOf("a");
const { tradingKey, vault, multisig } = account;
/** The limits have tests of their own: here nothing but the allow-list refuses. */
const agents = theAgent({ account, network, rules, terms });
const tradingKeys = createTradingKeySigner({ keys, ledger: passingLedger, agents });
const quote = quoteToken(instance);
const asset = assetOf(instance, "SOL");

const lifetime = {
  blockhash: stranger as unknown as SigningRequest["lifetime"]["blockhash"],
  lastValidBlockHeight: 150n,
  slot: 0n,
};
const asked = (instructions: readonly Instruction[]) =>
  ({ agentId: agentIdOf("a"), purpose: "order", isUrgent: false, instructions, lifetime }) as const;
const sign = (instructions: readonly Instruction[]) => tradingKeys.sign(asked(instructions));

const budget = [setComputeUnitLimit(600_000)];
const draw = (changes: { destination?: Address; decimals?: number; amount?: bigint } = {}) =>
  spendingLimitUse(
    {
      multisig,
      member: tradingKey,
      spendingLimit: limitAddress(account, quote.mint),
      destination: changes.destination ?? tradingKey,
      mint: quote.mint,
    },
    { amount: changes.amount ?? 150_000_000n, decimals: changes.decimals ?? 6 },
  );

type Route = Parameters<typeof routeV2>;
const swap = (accounts: Partial<Route[0]> = {}, args: Partial<Route[1]> = {}) =>
  routeV2(
    {
      authority: tradingKey,
      source: tokenAccountOf(tradingKey, quote),
      destination: tokenAccountOf(vault, asset),
      sourceMint: quote.mint,
      destinationMint: asset.mint,
      sourceTokenProgram: quote.tokenProgram,
      destinationTokenProgram: asset.tokenProgram,
      pools: [readonly(pool)],
      ...accounts,
    },
    {
      inAmount: 150_000_000n,
      quotedOutAmount: 990_000_000n,
      slippageBps: 50,
      routePlan: Uint8Array.of(1, 0, 0, 0, 0, 0x10, 0x27, 0, 1),
      ...args,
    },
  );

const templates: readonly [string, ReturnType<typeof instruction>][] = [
  ["a draw", draw()],
  ["a swap", swap()],
  ["a sweep", sweep(account, asset, 5n)],
];

describe("the trading key's signer on Jupiter", () => {
  it("signs return, draw and swap of its own agent", async () => {
    const whole = [...budget, sweep(account, asset, 5n), draw(), swap()];
    await expect(sign(whole)).resolves.toMatchObject({ lastValidBlockHeight: 150n });
  });

  it.each(templates)("refuses %s with any one account exchanged", async (_, template) => {
    for (let at = 0; at < template.accounts.length; at += 1) {
      if (template.accounts[at]?.address === pool) continue;
      const accounts = template.accounts.map((meta, place) =>
        place === at ? { ...meta, address: stranger } : meta,
      );
      const attempt = sign([...budget, { ...template, accounts }]);
      await expect(attempt, `account ${at}`).rejects.toThrow(SigningRefusedError);
    }
  });

  it.each(templates)("refuses %s of another program or kind", async (_, template) => {
    await expect(sign([...budget, { ...template, programAddress: stranger }])).rejects.toThrow(
      SigningRefusedError,
    );
    const data = Uint8Array.from(template.data);
    data[0] = (data[0] ?? 0) ^ 1;
    await expect(sign([...budget, { ...template, data }])).rejects.toThrow(SigningRefusedError);
  });

  const other = accountOf("b");
  const ownUsdc = tokenAccountOf(tradingKey, quote);
  const forbidden: readonly [string, Instruction][] = [
    ["a draw to somebody else", draw({ destination: stranger })],
    ["a draw of nothing", draw({ amount: 0n })],
    ["a draw with other decimals", draw({ decimals: 9 })],
    ["a swap into its own account", swap({ destination: tokenAccountOf(tradingKey, asset) })],
    [
      "a swap into another agent's vault",
      swap({ destination: tokenAccountOf(other.vault, asset) }),
    ],
    ["a swap between two assets", swap({ sourceMint: assetOf(instance, "BTC").mint })],
    ["a swap for nothing", swap({}, { quotedOutAmount: 0n })],
    ["a swap at any price", swap({}, { slippageBps: 501 })],
    ["a swap with a second signer", swap({ pools: [signer(stranger)] })],
    ["a larger limit", addLimit(account, quote.mint, 10n ** 12n)],
    ["taking a limit away", removeLimit(account, quote.mint)],
    [
      "a token transfer to a stranger",
      transferChecked(
        { source: ownUsdc, mint: quote.mint, destination: stranger, authority: tradingKey },
        { amount: 1n, decimals: 6 },
      ),
    ],
    [
      "a transfer that names no mint",
      transferTokens(
        { source: ownUsdc, destination: tokenAccountOf(vault, quote), authority: tradingKey },
        1n,
      ),
    ],
    [
      "closing a token account",
      closeTokenAccount({ account: ownUsdc, destination: tradingKey, authority: tradingKey }),
    ],
    [
      "setting an authority",
      instruction(TOKEN_PROGRAM, [writable(ownUsdc), signer(tradingKey)], [6]),
    ],
    [
      "an approval",
      instruction(TOKEN_PROGRAM, [writable(ownUsdc), readonly(stranger), signer(tradingKey)], [4]),
    ],
    [
      "opening an account on our fee payer",
      createAssociatedTokenIdempotent({
        payer: tradingKeys.feePayer,
        owner: stranger,
        mint: quote.mint,
      }),
    ],
    ["a transfer of SOL", transferLamports({ from: tradingKey, to: stranger }, 1n)],
    ["an unknown program", instruction(stranger, [signer(tradingKey)], [1])],
  ];

  it.each(forbidden)("refuses %s, alone or beside an order", async (_, extra) => {
    await expect(sign([...budget, extra])).rejects.toThrow(SigningRefusedError);
    await expect(sign([...budget, draw(), swap(), extra])).rejects.toThrow(SigningRefusedError);
  });

  it("trusts a lookup table only as read from the chain itself", async () => {
    const order = [...budget, draw(), swap({ pools: [readonly(pool)] })];
    await expect(tradingKeys.sign({ ...asked(order), tables: [table] })).rejects.toThrow(
      SigningRefusedError,
    );
    const readingSigner = (onChain: readonly Address[]) =>
      createTradingKeySigner({
        keys,
        ledger: passingLedger,
        agents,
        readTables: async () => ({ [table]: onChain }),
      });
    const honest = readingSigner([stranger, pool]);
    await expect(honest.sign({ ...asked(order), tables: [table] })).resolves.toBeDefined();
    // Accounts come from the chain's word or stand in the message
    const stealing = swap({ destination: tokenAccountOf(tradingKey, asset) });
    await expect(
      readingSigner([tokenAccountOf(tradingKey, asset)]).sign({
        ...asked([...budget, draw(), stealing]),
        tables: [table],
      }),
    ).rejects.toThrow("the output goes to another account");
  });

  it("signs every valid set, and none of 10,000 that differ from a valid one in one to three places", async () => {
    const own = templates.flatMap(([, { accounts }]) => accounts.map((meta) => meta.address));
    const alone = templates.map(([, template]) => [template]);
    const signed = await signSpoiltSets(sign, {
      budget,
      valid: [...alone, templates.map(([, template]) => template)],
      // The output may pass through the key's own account on its way to the vault
      addresses: [owner, stranger, SQUADS_PROGRAM, JUPITER_PROGRAM, SYSTEM_PROGRAM, ...own].filter(
        (address) => address !== tokenAccountOf(tradingKey, asset),
      ),
      free: [pool],
      forbidden: forbidden.map(([, each]) => each),
    });
    expect(signed).toEqual({ asTheyAre: 4, spoilt: [] });
  });
});
