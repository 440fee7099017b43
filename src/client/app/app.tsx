import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { Route, Switch } from "wouter";
import { Toaster } from "../ui/toaster.tsx";
import { TooltipProvider } from "../ui/tooltip-provider.tsx";
import { AppContext } from "./app-context.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { NotFound } from "./not-found.tsx";
import { OfflineBadge } from "./offline-badge.tsx";
import { PracticeWindow } from "./practice-window.tsx";
import type { SessionController } from "./session-controller.ts";
import { UpdateBadge } from "./update-badge.tsx";
import { Workspace } from "./workspace.tsx";

interface AppProps {
  readonly queryClient: QueryClient;
  readonly controller: SessionController;
}

export function App({ queryClient, controller }: AppProps) {
  return (
    <ErrorBoundary title="Something went wrong">
      <QueryClientProvider client={queryClient}>
        <AppContext value={controller}>
          <TooltipProvider>
            <ErrorBoundary title="Unexpected Application Error!">
              <Switch>
                <Route path="/">
                  <Workspace />
                </Route>
                <Route path="/chat/:chatId">{({ chatId }) => <Workspace named={chatId} />}</Route>
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
        </AppContext>
      </QueryClientProvider>
    </ErrorBoundary>
  );
}
