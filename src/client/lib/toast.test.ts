import { beforeEach, describe, expect, it } from "vitest";
import { closeToast, toastDone, toastNote, toastProblem, toasts, toastWorking } from "./toast.ts";

const titles = () => toasts.getState().map(({ title }) => title);

describe("toasts", () => {
  beforeEach(() => toasts.setState([], true));

  it("are one at a time, the newest", () => {
    toastDone({ title: "first" });
    toastNote({ title: "second" });
    expect(titles()).toEqual(["second"]);
  });

  it("do not come back after a newer one ended, problems and what goes on neither", () => {
    toastProblem({ title: "problem" });
    const stop = toastWorking({ title: "working" });
    toastDone({ title: "done" });
    expect(titles()).toEqual(["done"]);
    closeToast(toasts.getState()[0]?.id ?? "");
    stop();
    expect(titles()).toEqual([]);
  });

  it("show the same problem once", () => {
    toastProblem({ title: "problem" });
    toastProblem({ title: "problem" });
    expect(toasts.getState()).toHaveLength(1);
  });
});
