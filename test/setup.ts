import fc from "fast-check";
import { vi } from "vitest";
import { patient } from "./patient.ts";

// The same cases in each run, so that a run judges what changed; PROPERTY_SEED picks others
fc.configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 2026) });

// Limits stop what hangs; a busy machine with two slow cores must not reach them
vi.setConfig({
  testTimeout: patient(300_000),
  hookTimeout: patient(300_000),
  expect: { poll: { timeout: patient(30_000) } },
});
