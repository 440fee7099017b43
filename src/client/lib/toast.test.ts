import { beforeEach, describe, expect, it } from "vitest";
import {
  closeToast,
  toastDone,
  toastEvent,
  toastNote,
  toastProblem,
  toasts,
  toastWorking,
} from "./toast.ts";

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

  it("tell an event after what the user has just done, and never instead of it", () => {
    const event = (title: string) => toastEvent({ title }, { stays: true, actions: [] });
    event("bought");
    toastDone({ title: "limits updated" });
    event("sold");
    expect(toasts.getState().at(-1)?.title).toBe("limits updated");
    closeToast(toasts.getState().at(-1)?.id ?? "");
    expect(titles()).toEqual(["sold"]);
    event("bought again");
    expect(titles()).toEqual(["bought again"]);
  });

  it("show an identical problem once", () => {
    toastProblem({ title: "problem" });
    toastProblem({ title: "problem" });
    expect(toasts.getState()).toHaveLength(1);
  });
});
