import { describe, expect, it } from "vitest";
import { CUSTODY_INTENTS, type CustodyIntent } from "../../domain/custody-intent.ts";
import type { ApprovalPhase } from "./approval-phase.ts";
import { stopWords } from "./stop-words.ts";

type Stopped = Extract<ApprovalPhase, { kind: "stopped" }>;

const REASON = "The chain refused the transaction.";

const words = (intent: CustodyIntent, changes: Partial<Stopped> = {}, isVaultReady = false) =>
  stopWords(
    { intent, venue: "jupiter", isVaultReady },
    { kind: "stopped", outcome: "failed", reason: REASON, ...changes },
  );

describe("the message of a stopped approval", () => {
  it("names what failed and why", () => {
    const titles = CUSTODY_INTENTS.map((intent) => words(intent).title);
    expect(new Set(titles).size).toBe(CUSTODY_INTENTS.length);
    expect(words("deposit")).toEqual({ title: "Deposit failed", message: REASON });
    expect(words("withdraw")).toEqual({ title: "Withdrawal failed", message: REASON });
    expect(words("update-limits").title).toBe("Spending Limits Warning");
  });

  it("suggests another try where no reason is known", () => {
    expect(words("withdraw", { reason: "" }).message).toBe("Please try again.");
  });

  it("distinguishes the vault's steps of a set-up from the venue's", () => {
    expect(words("set-up")).toEqual({ title: "Custody setup failed", message: REASON });
    expect(words("set-up", {}, true)).toEqual({
      title: "Wallet Setup Failed",
      message: `Failed to set up Jupiter trading control: ${REASON}`,
    });
  });

  it("keeps the catalogue's title where there is one", () => {
    const problem = { title: "Insufficient Wallet Balance", code: "set_up_balance_too_low" };
    expect(words("set-up", { problem } as Partial<Stopped>, true).title).toBe(problem.title);
  });

  it("distinguishes an unreadable balance from an insufficient one", () => {
    const problem = { code: "unavailable" } as const;
    expect(words("set-up", { problem }).title).toBe("Balance Check Failed");
    expect(words("deposit", { problem }).title).toBe("Deposit failed");
  });
});
