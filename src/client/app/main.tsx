import { StrictMode, Component, Suspense, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import "../ui/styles.css";
import { watchHealth, checkHealth, health } from "../lib/health.ts";
import { followSystemTheme } from "../lib/theme.ts";
import { createSessionController, type SessionController } from "./session-controller.ts";
import { warnOfRefusedStorage } from "./warn-of-refused-storage.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { Route, Switch, Link } from "wouter";
import { Toaster } from "../ui/toaster.tsx";
import { TooltipProvider } from "../ui/tooltip-provider.tsx";
import { EdgeNote, UpdateBadge } from "./update-badge.tsx";
import { Workspace } from "./workspace.tsx";
import { Button } from "../ui/button.tsx";
import type { Wallet } from "@wallet-standard/base";
import { sendPracticeTransaction } from "../../contract/practice.ts";
import { call, authorizedFetch } from "../lib/api.ts";
import { storedWallet } from "../lib/stored.ts";
import { deploymentQuery, offersPlayMoney } from "../queries/deployment.ts";
import { askForApproval, practiceApprovals } from "../wallet/practice-approvals.ts";
import { RotateCw, WifiOff } from "lucide-react";
import { useStore } from "zustand";
import { lazyPart } from "../ui/lazy-part.tsx";
import { streamEvents } from "../../contract/events.ts";
import { listenForEvents } from "../lib/events.ts";
import { live } from "../lib/live.ts";
import { session, type SignedInWallet } from "../lib/session.ts";
import { createStaleQueries } from "../queries/read.ts";
import { ApiError } from "../lib/problem.ts";
import { wallet } from "../wallet/wallet.ts";

/** Creates the query client. Error answers of the server are not retried; requests without an answer are. */
function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        refetchIntervalInBackground: false,
        retry: (failures, error) =>
          failures < 2 && !(error instanceof ApiError && error.status < 500),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 30_000),
      },
      mutations: { retry: false },
    },
  });
}

/** Subscribes to the signed-in wallet's server events; queries poll while the stream is disconnected. */
function followPush(queryClient: QueryClient): () => void {
  let stop: () => void = () => {};
  let listeningFor = "";

  function follow({ address }: { readonly address: SignedInWallet }): void {
    if (address === listeningFor) return;
    stop();
    live.setState({ isConnected: false, prices: null });
    listeningFor = address;
    if (address === "") {
      stop = () => {};
      return;
    }
    const stale = createStaleQueries(queryClient, address);
    const stopListening = listenForEvents({
      open: (signal) => authorizedFetch(streamEvents.path, { signal }),
      onStale: stale.mark,
      onPrices: (prices) => live.setState({ prices }),
      onConnection(isConnected) {
        live.setState({ isConnected, prices: null });
        // Refetching covers notices missed while disconnected and makes every query re-evaluate its poll interval
        stale.markAll();
      },
    });
    stop = () => {
      stopListening();
      stale.stop();
    };
  }

  follow(session.getState());
  const unsubscribe = session.subscribe(follow);
  return () => {
    unsubscribe();
    stop();
  };
}

/** Registers a wallet through the Wallet Standard events that extensions use. */
function announce(wallet: Wallet): void {
  const detail = ({ register }: { register(wallet: Wallet): void }) => register(wallet);
  window.dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail }));
}

const ConnectPage = lazyPart(() => import("../features/account/connect-page.tsx"));

const loadPracticeWallet = () => import("../wallet/practice-wallet.ts");
const loadPracticeKey = () => import("../wallet/practice-key.ts");

/** Registers the practice wallet through the Wallet Standard when the deployment offers a built-in network. */
async function offerPracticeWallet(queryClient: QueryClient): Promise<void> {
  if (storedWallet.read()?.walletType === "practice") {
    // Nothing of a wallet is read before it is connected again, so its code comes along with the deployment's answer
    void Promise.allSettled([loadPracticeWallet(), loadPracticeKey()]);
  }
  const deployment = await queryClient.fetchQuery(deploymentQuery);
  if (!offersPlayMoney(deployment)) return;
  // Other deployments never load it
  const { createPracticeWallet } = await loadPracticeWallet();
  announce(
    createPracticeWallet({
      openKey: async () => (await loadPracticeKey()).openPracticeKey(),
      approve: askForApproval,
      send: async (transaction, network) =>
        (await call(sendPracticeTransaction, { body: { transaction, network } })).signature,
    }),
  );
}

interface AppProps {
  readonly queryClient: QueryClient;
  readonly controller: SessionController;
}

function App({ queryClient, controller }: AppProps) {
  return (
    <ErrorBoundary title="Something went wrong">
      <QueryClientProvider client={queryClient}>
        <TooltipProvider>
          <ErrorBoundary title="Unexpected Application Error!">
            <Switch>
              <Route path="/">
                <Workspace controller={controller} />
              </Route>
              <Route path="/chat/:chatId">
                {({ chatId }) => <Workspace controller={controller} named={chatId} />}
              </Route>
              <Route path="/connect">
                <Suspense fallback={null}>
                  <ConnectPage
                    onConnect={(type) => void controller.connect(type)}
                    onSignIn={() => void controller.signIn()}
                  />
                </Suspense>
              </Route>
              <Route>
                <NotFound />
              </Route>
            </Switch>
          </ErrorBoundary>
          <PracticeWindow />
          <OfflineBadge />
          <UpdateBadge />
          <Toaster />
        </TooltipProvider>
      </QueryClientProvider>
    </ErrorBoundary>
  );
}

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

interface ErrorBoundaryProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Error boundary of the whole page: shows that rendering failed and offers a reload. */
class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main className="h-full">
        <div
          role="alert"
          className="flex h-full flex-col items-center justify-center gap-3 p-6 text-center"
        >
          <h1 className="text-xl font-semibold">{this.props.title}</h1>
          <p className="text-sm text-muted">
            The page could not go on. No money moved because of it. Try again to load it anew.
          </p>
          <Button tone="primary" onClick={() => location.reload()}>
            Try Again
          </Button>
        </div>
      </main>
    );
  }
}

function NotFound() {
  return (
    <main className="flex h-full flex-col items-center justify-center gap-2 p-6 text-center">
      <h1 className="text-2xl font-semibold">404</h1>
      <p className="text-muted">Oops! Page not found</p>
      <Link href="/" className="mt-2 inline-flex min-h-8 items-center font-medium text-accent-text">
        Return to Home
      </Link>
    </main>
  );
}

function OfflineBadge() {
  const { isOnline, isChecking } = useStore(health);
  return (
    <EdgeNote>
      {!isOnline && (
        <>
          <WifiOff aria-hidden className="size-4 text-down" />
          Server connection offline
          <button
            type="button"
            aria-label="Retry"
            title="Network connection issue. Click to retry."
            onClick={() => void checkHealth()}
            className="tint inline-flex size-7 items-center justify-center rounded-full hover:bg-hover"
          >
            <RotateCw aria-hidden className={`size-4 ${isChecking ? "animate-spin" : ""}`} />
          </button>
        </>
      )}
    </EdgeNote>
  );
}

const Approval = lazyPart<{ readonly onClose: () => void }>(
  () => import("./practice-approval.tsx"),
  { isAbove: true },
);

/** Shows the practice wallet's window while the wallet asks; a window that cannot be loaded refuses when it is closed. */
function PracticeWindow() {
  const { request, answer } = useStore(practiceApprovals);
  return request === null ? null : <Approval onClose={() => answer(false)} />;
}
