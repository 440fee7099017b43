import { describe, expect, it } from "vitest";
import { parseAgentId, parseChatId, parseEventId, parseOrderId, parseOwner } from "./ids.ts";

const ID = "0123456789abcdef".repeat(2);
const ADDRESS = "A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo";

describe("ids", () => {
  it.each([parseAgentId, parseChatId, parseOrderId, parseEventId])(
    "are parsed unchanged",
    (parse) => expect(parse(ID)).toBe(ID),
  );

  it.each(["", "a", ID.toUpperCase(), `${ID}0`, `${ID}\n`, ADDRESS])(
    "are never made of other text: %j",
    (text) => expect(() => parseAgentId(text)).toThrow(RangeError),
  );

  it("distinguish owners by their addresses", () => {
    expect(parseOwner(ADDRESS)).toBe(ADDRESS);
    for (const text of ["", ID.toUpperCase(), `${ADDRESS}0`, "I".repeat(32)]) {
      expect(() => parseOwner(text)).toThrow(RangeError);
    }
  });
});
