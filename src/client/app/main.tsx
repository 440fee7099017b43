import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../ui/styles.css";
import { watchHealth } from "../lib/health.ts";
import { followSystemTheme } from "../lib/theme.ts";
import { wallet } from "../wallet/wallet.ts";
import { App } from "./app.tsx";
import { followPush } from "./push.ts";
import { offerPracticeWallet } from "./offer-practice-wallet.ts";
import { createQueryClient } from "./query-client.ts";
import { createSessionController } from "./session-controller.ts";
import { warnOfRefusedStorage } from "./warn-of-refused-storage.ts";

const queryClient = createQueryClient();
const controller = createSessionController(wallet, queryClient);
controller.start();
followPush(queryClient);
followSystemTheme();
watchHealth();
void offerPracticeWallet(queryClient);
warnOfRefusedStorage();

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no root element");
createRoot(root).render(
  <StrictMode>
    <App queryClient={queryClient} controller={controller} />
  </StrictMode>,
);

// Deferred until load, so that it does not compete with the first page's resources
addEventListener("load", () => {
  void import("../lib/service-worker.ts").then(({ registerServiceWorker }) =>
    registerServiceWorker(),
  );
});
