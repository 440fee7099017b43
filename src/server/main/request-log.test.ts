import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { pino } from "pino";
import { expect, it } from "vitest";
import { registerRequestLog } from "./app.ts";

it("names the request in its line, although all requests share one logger", async () => {
  const lines: string[] = [];
  const logger: FastifyBaseLogger = pino({}, { write: (line) => void lines.push(line) });
  const app: FastifyInstance = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: () => "request-7",
  });
  registerRequestLog(app);
  app.get("/known/:id", async () => ({}));
  await app.inject("/known/secret?token=secret");
  await app.inject("/unknown");
  const [known, unknown] = lines.map((line) => JSON.parse(line) as object);
  expect(known).toMatchObject({ reqId: "request-7", route: "/known/:id", status: 200 });
  expect(unknown).toMatchObject({ reqId: "request-7", route: "unknown", status: 404 });
  expect(lines.join("")).not.toContain("secret");
});
