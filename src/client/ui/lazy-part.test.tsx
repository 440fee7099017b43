import { fireEvent, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { replaceFetch } from "../lib/api.ts";
import { checkHealth, health } from "../lib/health.ts";
import { lazyPart, PartExit } from "./lazy-part.tsx";

interface NoteProps {
  readonly text: string;
}

const Note = ({ text }: NoteProps) => <p>{text}</p>;

function loader(failures: number) {
  let asked = 0;
  const load = () => {
    asked += 1;
    return asked <= failures
      ? Promise.reject(new TypeError("Failed to fetch dynamically imported module"))
      : Promise.resolve({ default: Note });
  };
  return { load, asked: () => asked };
}

// React names what it catches; a test that expects it need not print it
afterEach(() => vi.restoreAllMocks());
const silence = () => vi.spyOn(console, "error").mockImplementation(() => {});

describe("a lazily loaded part of the page", () => {
  it("fails alone, keeps input beside it, and loads with Retry", async () => {
    silence();
    const { load, asked } = loader(2);
    const Part = lazyPart(load);
    render(
      <>
        <textarea aria-label="Message" />
        <Suspense>
          <Part text="the log" />
        </Suspense>
      </>,
    );
    const typed = screen.getByLabelText<HTMLTextAreaElement>("Message");
    fireEvent.change(typed, { target: { value: "half a sentence" } });
    expect((await screen.findByRole("alert")).textContent).toContain("This part did not load");
    expect(screen.queryByRole("button", { name: "Reload page" })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    // Where a second try fails too, loading the page anew is the way that is left
    await screen.findByRole("button", { name: "Reload page" });
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    expect((await screen.findByText("the log")).tagName).toBe("P");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(typed.value).toBe("half a sentence");
    expect(asked()).toBe(3);
  });

  it("reloads by itself when the server answers again", async () => {
    silence();
    const { load, asked } = loader(1);
    const Part = lazyPart(load);
    health.setState({ isOnline: true });
    let isUp = false;
    replaceFetch(() =>
      isUp ? Promise.resolve(new Response(null)) : Promise.reject(new TypeError("offline")),
    );
    render(
      <Suspense>
        <Part text="the log" />
      </Suspense>,
    );
    await screen.findByRole("alert");
    await expect.poll(() => health.getState().isOnline).toBe(false);
    expect(asked()).toBe(1);
    isUp = true;
    await checkHealth();
    expect((await screen.findByText("the log")).tagName).toBe("P");
    expect(asked()).toBe(2);
  });

  it("is not requested again once it is loaded", async () => {
    const { load, asked } = loader(0);
    const Part = lazyPart(load);
    Part.preload();
    const { rerender } = render(
      <Suspense>
        <Part text="one" />
      </Suspense>,
    );
    await screen.findByText("one");
    rerender(
      <Suspense>
        <Part text="two" />
        <Part text="three" />
      </Suspense>,
    );
    await screen.findByText("three");
    expect(asked()).toBe(1);
  });

  it("says so when rendering fails", async () => {
    silence();
    const Part = lazyPart<NoteProps>(() =>
      Promise.resolve({
        default: () => {
          throw new Error("a figure without digits");
        },
      }),
    );
    render(
      <Suspense>
        <Part text="" />
      </Suspense>,
    );
    expect((await screen.findByRole("alert")).textContent).toContain("This part stopped working");
  });

  it("shows its fallback for a dialog, which can be closed", async () => {
    silence();
    const left = vi.fn<() => void>();
    const Part = lazyPart(loader(9).load, { isAbove: true, standIn: ({ text }) => <i>{text}</i> });
    render(
      <PartExit value={left}>
        <Suspense>
          <Part text="the menu's button" />
        </Suspense>
      </PartExit>,
    );
    await screen.findByRole("alert");
    expect(screen.getByText("the menu's button").tagName).toBe("I");
    fireEvent.click(screen.getByRole("button", { name: "Close" }));
    expect(left).toHaveBeenCalledOnce();
  });

  it("is requested again when it is reopened", async () => {
    silence();
    const { load, asked } = loader(1);
    const Part = lazyPart(load, { isAbove: true });
    const opened = (
      <Suspense>
        <Part text="the dialog" />
      </Suspense>
    );
    const { rerender } = render(opened);
    await screen.findByRole("alert");
    rerender(<p>closed</p>);
    rerender(opened);
    await screen.findByText("the dialog");
    expect(asked()).toBe(2);
  });
});
