import { expect, it } from "vitest";
import recorded from "../../../test/recorded/jupiter-build.json" with { type: "json" };
import { openJupiterFixture } from "../../../test/jupiter-fixture.ts";
import { fundVenueAccount } from "../../../test/venue-conformance.ts";
import type { LookupTables } from "../../solana/programs/squads-message.ts";
import { deriveLookupTable } from "../../solana/programs/address-lookup-table.ts";
import { vaultLife } from "../../solana/programs/squads.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";
import { compileTransaction, roomOf } from "../../solana/transaction.ts";
import { NoRouteError } from "../plan-step.ts";
import { parseBuildResponse } from "./http-router.ts";
import { readRoute, routeV2 } from "./route-instruction.ts";
import { sharedAddresses } from "./instance.ts";
import type { SwapRouter } from "./swap-router.ts";

const HELD = 1_000_000_000n;

async function openSale(wrapRouter?: (router: SwapRouter) => SwapRouter) {
  const fixture = await openJupiterFixture(wrapRouter === undefined ? {} : { wrapRouter });
  await fundVenueAccount(fixture);
  await fixture.giveAsset(fixture.account.vault, HELD);
  return fixture;
}

it("fits one transaction with a recorded Jupiter route", async () => {
  const real = parseBuildResponse(JSON.stringify(recorded));
  const route = readRoute(real.swapInstruction);
  if (route === null) throw new Error("The recorded answer holds no route");
  const fixture = await openSale((router) => ({
    ...router,
    async build(request) {
      const build = await router.build(request);
      const mine = readRoute(build.swapInstruction);
      if (mine === null) throw new Error("The practice router answers a route");
      const { pools, routePlan } = route;
      const swapInstruction = routeV2({ ...mine, pools }, { ...mine, routePlan });
      return { ...build, swapInstruction };
    },
  }));
  const { owner, multisig, vault } = fixture.account;
  const step = await fixture.venue.planClose(fixture.account);
  const shared = sharedAddresses(fixture.venue.instance);
  const sizeWith = (tables: LookupTables): number =>
    compileTransaction({
      feePayer: owner,
      lifetime: {
        blockhash: vault as unknown as Parameters<
          typeof compileTransaction
        >[0]["lifetime"]["blockhash"],
        lastValidBlockHeight: 1n,
      },
      instructions: [
        setComputeUnitLimit(step.computeUnitLimit),
        setComputeUnitPrice(5_000n),
        ...step.before,
        ...vaultLife({
          multisig,
          transactionIndex: 1n,
          member: owner,
          vault,
          rentCollector: owner,
          instructions: step.asVault,
          tables,
        }),
        ...step.after,
      ],
      tables,
    }).length;
  const deployments = { [deriveLookupTable(owner, 0n).address]: shared };
  expect(sizeWith(real.tables)).toBeLessThanOrEqual(roomOf(0, false));
  expect(sizeWith({ ...real.tables, ...deployments })).toBeLessThan(1_100);
});

it("refuses to sell further than one per cent from the market", async () => {
  const fixture = await openSale((router) => ({
    ...router,
    async build(request) {
      const build = await router.build(request);
      const mine = readRoute(build.swapInstruction);
      if (mine === null) throw new Error("The practice router answers a route");
      const outAmount = (build.outAmount * 98n) / 100n;
      const swapInstruction = routeV2(mine, { ...mine, quotedOutAmount: outAmount });
      return { ...build, outAmount, swapInstruction, otherAmountThreshold: 0n };
    },
  }));
  const sale = fixture.venue.planClose(fixture.account);
  await expect(sale).rejects.toThrow(NoRouteError);
  await expect(sale).rejects.toThrow("more than 1% from its market price");
});

it("has nothing to sell when only dust is held", async () => {
  const fixture = await openJupiterFixture();
  await fundVenueAccount(fixture);
  await fixture.giveAsset(fixture.account.vault, 1_000n);
  expect((await fixture.venue.planClose(fixture.account)).asVault).toEqual([]);
});
