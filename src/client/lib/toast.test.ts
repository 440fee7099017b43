import { beforeEach, describe, expect, it } from "vitest";
import { closeToast, toastDone, toastNote, toastProblem, toasts, toastWorking } from "./toast.ts";

const titles = () => toasts.getState().map(({ title }) => title);

describe("toasts", () => {
  beforeEach(() => toasts.setState([], true));

  it("appear one at a time, the newest first", () => {
    toastDone({ title: "first" });
    toastNote({ title: "second" });
    expect(titles()).toEqual(["second"]);
  });

  it("do not return after a newer one ended, not even problems and progress", () => {
    toastProblem({ title: "problem" });
    const stop = toastWorking({ title: "working" });
    toastDone({ title: "done" });
    expect(titles()).toEqual(["done"]);
    closeToast(toasts.getState()[0]?.id ?? "");
    stop();
    expect(titles()).toEqual([]);
  });

  it("show an identical problem once", () => {
    toastProblem({ title: "problem" });
    toastProblem({ title: "problem" });
    expect(toasts.getState()).toHaveLength(1);
  });
});
