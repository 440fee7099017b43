import { afterEach, describe, expect, it } from "vitest";
import { toasts } from "../lib/toast.ts";
import { warnOfRefusedStorage } from "./warn-of-refused-storage.ts";

afterEach(() => toasts.setState([], true));

describe("a browser that refuses storage", () => {
  it.each<[string, () => Storage]>([
    [
      "altogether",
      () => {
        throw new DOMException("denied", "SecurityError");
      },
    ],
    [
      "because it is full",
      () =>
        ({
          setItem() {
            throw new DOMException("full", "QuotaExceededError");
          },
        }) as unknown as Storage,
    ],
  ])("%s causes a permanent warning", (_, storage) => {
    warnOfRefusedStorage(storage);
    expect(toasts.getState()).toMatchObject([
      { title: "This browser keeps nothing for this page", stays: true },
    ]);
  });

  it("is not reported in this browser", () => {
    warnOfRefusedStorage();
    expect(toasts.getState()).toEqual([]);
    expect(localStorage.getItem("storage-probe")).toBeNull();
  });
});
