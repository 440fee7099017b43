import { measureLoops } from "./simulate-loop.ts";

// Runs in a worker of a blank page
postMessage(measureLoops());
