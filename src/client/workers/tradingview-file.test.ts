import { describe, expect, it } from "vitest";
import {
  delimiterOf,
  readCsv,
  decodeFile,
  guessAlert,
  MAX_FILE_BYTES,
  readPrice,
  readTradingViewFile,
  createTimeReader,
} from "./tradingview-file.ts";

// Column names as public code has them that reads real exports, found by their header lines: the present list of trades
// in the tests of tradingview_strategy_tools, the older one and the alert log in Cryptobot.Funnel.Analysis. Rows are made up.
const NEW_TRADES = `\ufeffTrade number,Type,Date and time,Signal,Price USD,Size (qty),Size (value),Net PnL USD,Return %
1,Exit long,2024-01-02 04:00,"Close, at last",110.5,1,110,9,9
1,Entry long,2024-01-01 02:00,Breakout,100,1,100,9,9
2,Exit short,Open,,,1,,,
2,Entry short,2024-01-02 04:00,Fade,110.5,1,110,,
3,Entry sideways,2024-01-03 00:00,?,1,1,1,,
4,Entry long,yesterday,Breakout,1,1,1,,
`;
const OLD_TRADES = `Trade #;Type;Signal;Date/Time;Price;Contracts;Profit\r
1;Entry Long;Order;2024-07-02 09:30;100,50;10;\r
1;Exit Long;Order;2024-01-02 15:30;1 102,00;10;150,00\r
`;
const ALERT_LOG = `Alert ID,Ticker,Name,Description,Time,Webhook status
206960060,"BINANCE:SOLUSDT, 60",Dip on SOL,"{
  ""agentId"": ""a"", ""alertName"": ""Dip"", ""timestamp"": ""x""
}",2024-05-20T02:44:05.000Z,Delivered
206960061,"BINANCE:SOLUSDT, 60",=cmd|'/c calc'!A1,plain words,2024-05-20T03:00:01Z,Delivered
206960062,"BINANCE:SOLUSDT, 60",Dip,{broken json,2024-05-20T04:00:00-0500,Delivered
206960063,"BINANCE:SOLUSDT, 60",Dip,x,soon,Delivered
`;
const utc = (text: string) => Date.parse(`${text}Z`);

describe("readCsv", () => {
  it("reads quotes, breaks inside them and lines of any ending", () => {
    const text = 'a,"b ""c"", d\ne"\r\n\r\n=1+1,\n"never closed';
    expect([...readCsv(text, ",")]).toEqual([
      { line: 1, cells: ["a", 'b "c", d\ne'] },
      { line: 4, cells: ["=1+1", ""] },
      { line: 5, cells: ["never closed"] },
    ]);
    expect([...readCsv("", ",")]).toEqual([]);
  });

  it.each([
    ["a,b", ","],
    ['"a,b,c";d;e', ";"],
    ["a\tb", "\t"],
  ])("finds the separator of %j", (text, expected) => {
    expect(delimiterOf(text)).toBe(expected);
  });
});

describe("a list of trades", () => {
  it("becomes events, exits before entries at one moment, and lists what was not understood", () => {
    const file = readTradingViewFile(NEW_TRADES, "UTC");
    expect(file).toMatchObject({ kind: "list of trades", rows: 6, problemCount: 3 });
    expect(
      file.events.map(({ label, atMs, price }) => [file.labels[label]?.text, atMs, price]),
    ).toEqual([
      ["Entry long: Breakout", utc("2024-01-01T02:00"), 100],
      ["Exit long: Close, at last", utc("2024-01-02T04:00"), 110.5],
      ["Entry short: Fade", utc("2024-01-02T04:00"), 110.5],
    ]);
    expect(file.problems).toEqual([
      { line: 4, text: "still open" },
      { line: 6, text: '"Entry sideways" is no entry or exit' },
      { line: 7, text: '"yesterday" is no time' },
    ]);
  });

  it("is read with semicolons, comma decimals and the chart's time zone, summer time included", () => {
    const { events } = readTradingViewFile(OLD_TRADES, "America/New_York");
    expect(events.map(({ atMs, price }) => [atMs, price])).toEqual([
      [utc("2024-01-02T20:30"), 1102],
      [utc("2024-07-02T13:30"), 100.5],
    ]);
  });
});

describe("an alert log", () => {
  it("takes alert names from our message, else from the alert, and reads formulas as text", () => {
    const file = readTradingViewFile(ALERT_LOG, "UTC");
    expect(file.labels).toEqual([
      { text: "Dip", count: 2 },
      { text: "=cmd|'/c calc'!A1", count: 1 },
    ]);
    expect(file.events.map(({ atMs }) => atMs)).toEqual([
      utc("2024-05-20T02:44:05") + 999,
      utc("2024-05-20T03:00:01") + 999,
      utc("2024-05-20T09:00") + 999,
    ]);
    expect(file.problems).toEqual([{ line: 7, text: '"soon" is no time' }]);
  });
});

describe("a file of another kind", () => {
  it.each([
    ["other columns", "Date,Amount\n1,2\n", /columns are neither/],
    ["nothing", "", /columns are neither/],
    [
      "too many events",
      `Alert ID,Name,Time\n${Array.from({ length: 101 }, (_, at) => `1,n${at},2024-01-01`).join("\n")}`,
      /more than 100 different/,
    ],
  ])("is refused: %s", (_name, text, reason) => {
    expect(() => readTradingViewFile(text, "UTC")).toThrow(reason);
  });

  it("is refused when it is binary or too large, before it is parsed", () => {
    expect(() => decodeFile(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))).toThrow(/no text file/);
    expect(() => decodeFile(new Uint8Array(MAX_FILE_BYTES + 1))).toThrow(/larger than 20 MB/);
    expect(decodeFile(new Uint8Array([0xff, 0xfe, 0x61, 0]))).toBe("a");
  });

  it("of the largest size is read within a moment", () => {
    const row = "206960060,SOL,Dip,words,2024-05-20T02:44:05.000Z\n";
    const text = `Alert ID,Ticker,Name,Description,Time\n${row.repeat(199_000)}`;
    expect(readTradingViewFile(text, "UTC").events).toHaveLength(199_000);
  });
});

describe("createTimeReader", () => {
  it.each([
    ["2024-03-31 03:30", "Europe/Berlin", "2024-03-31T01:30"],
    ["2024-10-27 03:30", "Europe/Berlin", "2024-10-27T02:30"],
    ["2024/1/2", "Asia/Kolkata", "2024-01-01T18:30"],
    ["2024-01-02T03:04:05+0530", "UTC", "2024-01-01T21:34:05"],
  ])("reads %s in %s", (text, zone, expected) => {
    expect(createTimeReader(zone)(text)).toBe(utc(expected));
  });

  it.each(["2024-02-30", "2024-13-01", "02.01.2024", "now", ""])("reads no time in %j", (text) => {
    expect(createTimeReader("UTC")(text)).toBeNull();
  });
});

describe("readPrice", () => {
  it.each([
    ["1,234.50", 1234.5],
    ["1.234", 1.234],
    ["100,5", 100.5],
    ["", null],
    ["=A1", null],
  ])("reads %j as %s", (text, price) => {
    expect(readPrice(text)).toBe(price);
  });
});

describe("guessAlert", () => {
  const alerts = [{ alertKey: "dip" }, { alertKey: "out" }];
  const rules = [
    { action: "OPEN_LONG", conditions: [{ alertKey: "dip" }] },
    { action: "CLOSE_LONG", conditions: [{ alertKey: "out" }] },
  ];
  it.each([
    ["Dip", "dip"],
    ["Entry long: OUT", "out"],
    ["Exit long: Close entry(s) order Long", "out"],
    ["Entry short: Fade", null],
    ["something", null],
  ])("guesses %j to be %s", (label, key) => {
    expect(guessAlert(label, alerts, rules)).toBe(key);
  });
});
