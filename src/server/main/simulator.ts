import { runHere } from "../../assistant/run-simulation.ts";
import {
  isSimulationAsk,
  type SimulationAnswer,
  type SimulationAsk,
} from "../pacing/simulations.ts";
import { answerBeats, type UpMessage } from "./keep-process.ts";

function answerTo({ id, request }: SimulationAsk["simulate"]): SimulationAnswer["simulated"] {
  try {
    return { id, report: runHere(request) };
  } catch (error) {
    return { id, fault: error instanceof Error ? error.message : "unknown" };
  }
}

// The main process ends it, after those that ask
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
answerBeats();
process.on("message", (message) => {
  if (!isSimulationAsk(message)) return;
  process.send?.({ simulated: answerTo(message.simulate) } satisfies SimulationAnswer);
});
process.send?.({ up: true } satisfies UpMessage);
