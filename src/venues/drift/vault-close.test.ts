import { expect, it } from "vitest";
import { openLiteBench } from "../../../test/chain-bench.ts";
import { DOLLAR, expectError, openExchange, SOL_BASE } from "../../../test/drift-cases/case.ts";
import { openVenue } from "../../../test/drift-cases/venue-bench.ts";
import { onRealProgram } from "../../../test/real-program.ts";
import {
  asVault,
  createKey,
  tradingKey,
  multisig,
  owner,
  putDollars,
  vault,
} from "../../../test/squads-bench.ts";
import { SQUADS_TREASURY } from "../../practice/genesis.ts";
import { setComputeUnitLimit } from "../../solana/programs/compute-budget.ts";
import { multisigCreateV2, SQUADS_PROGRAM } from "../../solana/programs/squads.ts";
import type { PlanStep } from "../plan-step.ts";
import { DRIFT_V2_INSTANCE as IDS } from "./instance.ts";

const AUCTION_SLOTS = 10;

const squads = onRealProgram([], "SQUADS_SO").file;
const { file, rows } = onRealProgram(
  [0, AUCTION_SLOTS].map((auction) => ({
    name: `the owner closes through the vault where auctions take ${auction} slots`,
    auction,
  })),
  "DRIFT_SO",
);

it.for(rows)("%s", async ([, { auction }, reason], { skip }) => {
  skip(reason !== null || squads === "", reason ?? "SQUADS_SO names no program file");
  const bench = await openExchange(
    openLiteBench({ [IDS.programId]: file, [SQUADS_PROGRAM]: squads }),
  );
  const account = {
    owner: owner.address,
    multisig,
    vault,
    tradingKey: tradingKey.address,
    subAccountId: 0,
  };
  const { venue, trade, pass, base } = await openVenue(bench, account);
  const sign = async (step: PlanStep) => {
    const inVault = step.asVault.length === 0 ? [] : await asVault(bench, step.asVault);
    const limit = setComputeUnitLimit(step.computeUnitLimit);
    const whole = [limit, ...step.before, ...inVault, ...step.after];
    await expectError(bench.send([owner], whole), null);
  };
  await expectError(
    bench.send(
      [owner, createKey],
      [
        multisigCreateV2(
          { treasury: SQUADS_TREASURY, createKey: createKey.address, creator: owner.address },
          {
            configAuthority: owner.address,
            threshold: 1,
            members: [{ key: owner.address, permissions: 7 }],
            rentCollector: owner.address,
          },
        ),
      ],
    ),
    null,
  );
  await bench.give(vault, 100_000_000n);
  await putDollars(bench, owner.address, 1_000n * DOLLAR);
  for (const step of await venue.planSetUp(account, "Agent")) await sign(step);
  await sign(await venue.planDeposit(account, 500n * DOLLAR));
  expect((await trade({ side: "long" })).kind).toBe("filled");
  expect(await base()).toBe(SOL_BASE);

  await bench.setExchange({ minPerpAuctionDuration: auction });
  await sign(await venue.planClose(account));
  if (auction > 0) {
    expect(await base()).toBe(SOL_BASE);
    expect((await venue.planClose(account)).waitsFor).toContain("auction");
    await pass(auction + 1);
    expect((await venue.planClose(account)).waitsFor).toBeUndefined();
    await sign(await venue.planClose(account));
  }
  expect(await venue.accountState(account)).toMatchObject({ positions: [], openOrderCount: 0 });
  expect((await venue.planClose(account)).asVault).toEqual([]);
});
