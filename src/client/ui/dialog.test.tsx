import { act, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, expect, it } from "vitest";
import { navigate } from "wouter/use-browser-location";
import { AlertDialog } from "./alert-dialog.tsx";
import { Dialog } from "./dialog.tsx";

const ADDRESS = "/chat/second?tab=charts";

beforeEach(() => {
  navigate("/chat/first");
  navigate(ADDRESS);
});

const here = () => location.pathname + location.search;
const back = () => act(() => history.back());

/** A dialog that asks before it closes. */
function Form() {
  const [isOpen, setOpen] = useState(true);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Dialog open={isOpen} onClose={() => setAsking(true)} title="Form" />
      <AlertDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Discard?"
        actionLabel="Discard"
        onAction={() => {
          setAsking(false);
          setOpen(false);
        }}
      >
        It is lost.
      </AlertDialog>
    </>
  );
}

function Simple() {
  const [isOpen, setOpen] = useState(true);
  return <Dialog open={isOpen} onClose={() => setOpen(false)} title="Simple" />;
}

it("closes on Back, and the page behind it stays", async () => {
  render(<Simple />);
  await screen.findByRole("dialog");
  back();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(here()).toBe(ADDRESS);
  back();
  await waitFor(() => expect(here()).toBe("/chat/first"));
});

it("asks on every Back as it does on Escape", async () => {
  render(<Form />);
  await screen.findByRole("dialog");
  back();
  await screen.findByRole("alertdialog", { name: "Discard?" });
  back();
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(screen.getByRole("dialog")).toBeTruthy();
  back();
  act(() => screen.getByRole("button", { name: "Discard" }).click());
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(here()).toBe(ADDRESS);
});

it("leaves no history entry when it closes otherwise", async () => {
  render(<Simple />);
  const close = await screen.findByRole("button", { name: "Close" });
  act(() => close.click());
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(here()).toBe(ADDRESS));
  back();
  await waitFor(() => expect(here()).toBe("/chat/first"));
});
