import { beforeEach, describe, expect, it } from "vitest";
import { closeToast, toastDone, toastNote, toastProblem, toasts } from "./toast.ts";

const shown = () => toasts.getState().at(-1)?.title;

describe("toasts", () => {
  beforeEach(() => toasts.setState([], true));

  it("show the newest and drop what would go by itself", () => {
    toastDone({ title: "first" });
    toastNote({ title: "second" });
    expect(shown()).toBe("second");
    expect(toasts.getState()).toHaveLength(1);
  });

  it("bring a problem back after the toast that covered it", () => {
    toastProblem({ title: "problem" });
    toastDone({ title: "done" });
    expect(shown()).toBe("done");
    closeToast(toasts.getState().at(-1)?.id ?? "");
    expect(shown()).toBe("problem");
  });

  it("show the same problem once", () => {
    toastProblem({ title: "problem" });
    toastProblem({ title: "problem" });
    expect(toasts.getState()).toHaveLength(1);
  });
});
