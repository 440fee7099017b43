import fc from "fast-check";

// The same cases in each run, so that a run judges what changed; PROPERTY_SEED picks others
fc.configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 2026) });
