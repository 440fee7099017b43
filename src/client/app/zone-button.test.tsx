import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { chooseZone, DEVICE, deviceZone } from "../lib/time-zone.ts";
import { TimeText, ZoneNote } from "../ui/time-text.tsx";
import { ZoneButton } from "./zone-button.tsx";

const AT = "2026-11-21T23:05:00.000Z";

function renderPage() {
  render(
    <>
      <ZoneButton />
      <TimeText at={AT} as="short" />
      <ZoneNote />
    </>,
  );
  return userEvent.setup();
}

const chooser = () => screen.getByRole("combobox", { name: "Time zone of all times" });

describe("the time zone", () => {
  beforeEach(() => chooseZone(DEVICE));

  it("is the device's until the user chooses one, and is shown", () => {
    renderPage();
    expect(screen.getByText(`Times in ${deviceZone()}`)).toBeDefined();
    expect(screen.getByRole("option", { selected: true }).textContent).toBe(
      `This device (${deviceZone()})`,
    );
  });

  it("applies to all times on the page at once, and is remembered", async () => {
    const user = renderPage();
    await user.click(chooser());
    await user.selectOptions(chooser(), "America/New_York");
    const shown = screen.getByText("Nov 21, 18:05");
    expect(shown.title).toBe("2026-11-21 18:05:00 America/New_York");
    expect(screen.getByText("Times in America/New_York")).toBeDefined();
    expect(screen.getByText("New York")).toBeDefined();
    expect(localStorage.getItem("time-zone")).toBe("America/New_York");
    await user.selectOptions(chooser(), "UTC");
    expect(screen.getByText("Nov 21, 23:05")).toBeDefined();
    await user.selectOptions(chooser(), DEVICE);
    expect(localStorage.getItem("time-zone")).toBeNull();
  });

  it("falls back to the device's where this browser does not know the stored one", () => {
    chooseZone("Mars/Olympus_Mons");
    renderPage();
    expect(screen.getByText(`Times in ${deviceZone()}`)).toBeDefined();
  });
});
