import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/database.ts";
import { useServer } from "../../../test/server.ts";
import { signIn, type SignedIn } from "../../../test/wallet.ts";
import { MAX_TRIED_VARIANTS } from "../../contract/tried-variants.ts";

const database = useDatabase();
const server = useServer(database);

const MARKET = { network: "practice", venue: "drift", marketId: "SOL-PERP" };
const keyOf = (at: number) => at.toString(16).padStart(32, "0");
const variants = (...statistics: (number | null)[]) =>
  statistics.map((tStatistic, at) => ({ variant: keyOf(at), tStatistic, isKeptOutSeen: false }));

const count = (who: SignedIn, tried: unknown[], market: object = MARKET) =>
  server.send("POST", "/api/tried-variants", {
    token: who.token,
    body: { ...market, variants: tried },
  });

describe("variants tried in simulations", () => {
  it("are stored per owner and market, each counted once, and survive another session", async () => {
    const owner = await signIn(server);
    expect((await count(owner, [])).body).toEqual({
      tries: 0,
      variance: 0,
      isFull: false,
      looks: 0,
    });
    expect((await count(owner, variants(1, 3))).body).toMatchObject({ tries: 2, variance: 2 });
    // Known ones again, and one whose t statistic is undefined
    expect((await count(owner, variants(1, 3, null))).body).toMatchObject({
      tries: 3,
      variance: 2,
    });
    for (const other of [{ marketId: "BTC-PERP" }, { network: "devnet" }]) {
      expect((await count(owner, [], { ...MARKET, ...other })).body).toMatchObject({ tries: 0 });
    }
    const twice = [...variants(5), ...variants(5)];
    const elsewhere = { ...MARKET, marketId: "BTC-PERP" };
    expect((await count(owner, twice, elsewhere)).body).toMatchObject({ tries: 1, variance: 0 });
    const again = await signIn(server, owner);
    expect(again.token).not.toBe(owner.token);
    expect((await count(again, [])).body).toMatchObject({ tries: 3, variance: 2 });
  });

  it("of another owner can be neither read nor added to", async () => {
    const [owner, stranger] = [await signIn(server), await signIn(server)];
    await count(owner, variants(1, 2, 3));
    expect((await count(stranger, variants(9))).body).toMatchObject({ tries: 1 });
    expect((await count(stranger, [], { ...MARKET, wallet: owner.address })).status).toBe(400);
    const refused = await server.send("POST", "/api/tried-variants", {
      body: { ...MARKET, variants: variants(1) },
    });
    expect(refused.status).toBe(401);
    expect((await count(owner, [])).body).toMatchObject({ tries: 3 });
  });

  it("tell how many had their kept-out part shown, each once, also when it was tried in a grid before", async () => {
    const owner = await signIn(server);
    const [first, second] = variants(1, 2);
    const seen = (variant: object | undefined) => ({ ...variant, isKeptOutSeen: true });
    expect((await count(owner, variants(1, 2, 3))).body).toMatchObject({ tries: 3, looks: 0 });
    expect((await count(owner, [seen(first)])).body).toMatchObject({ tries: 3, looks: 1 });
    expect((await count(owner, [seen(first), second])).body).toMatchObject({ looks: 1 });
    expect((await count(owner, [seen(second)])).body).toMatchObject({ tries: 3, looks: 2 });
    const elsewhere = { ...MARKET, marketId: "BTC-PERP" };
    expect((await count(owner, [], elsewhere)).body).toMatchObject({ looks: 0 });
    expect((await count(await signIn(server), [])).body).toMatchObject({ looks: 0 });
  });

  it("are limited per wallet, even when added simultaneously", async () => {
    const owner = await signIn(server);
    await database.pool.query(
      `insert into tried_variants
       select $1, 'practice', 'drift', 'SOL-PERP', md5(at::text), 0, now(), false
       from generate_series(1, $2) at`,
      [owner.address, MAX_TRIED_VARIANTS - 5],
    );
    const elsewhere = { ...MARKET, marketId: "BTC-PERP" };
    await Promise.all([
      count(owner, variants(1, 2, 3, 4)),
      count(owner, variants(1, 2, 3, 4), elsewhere),
    ]);
    const here = (await count(owner, [])).body;
    const there = (await count(owner, [], elsewhere)).body;
    expect(here.tries + there.tries).toBe(MAX_TRIED_VARIANTS);
    expect([here.isFull, there.isFull]).toEqual([true, true]);
    // The bound is the wallet's own
    expect((await count(await signIn(server), variants(1))).body).toMatchObject({ tries: 1 });
  });

  it.each([
    [
      "a variant that is no digest",
      400,
      { variants: [{ variant: "x", tStatistic: 1, isKeptOutSeen: true }] },
    ],
    [
      "a statistic out of range",
      422,
      { variants: [{ variant: keyOf(1), tStatistic: 1e7, isKeptOutSeen: true }] },
    ],
    ["more than a grid", 422, { variants: Array.from({ length: 401 }, () => variants(1)[0]) }],
    ["an unknown field", 400, { variants: [], tries: 1 }],
    ["an unknown network", 422, { variants: [], network: "moon" }],
  ])("refuses %s", async (_, status, wrong) => {
    const owner = await signIn(server);
    const answer = await server.send("POST", "/api/tried-variants", {
      token: owner.token,
      body: { ...MARKET, ...wrong },
    });
    expect(answer.status).toBe(status);
    expect((await count(owner, [])).body).toMatchObject({ tries: 0 });
  });

  it("need an existing market", async () => {
    const unknown = { ...MARKET, marketId: "NOPE-PERP" };
    expect((await count(await signIn(server), [], unknown)).body.code).toBe("market_unknown");
  });
});
