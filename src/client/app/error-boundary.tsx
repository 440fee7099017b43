import { Component, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";

interface ErrorBoundaryProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Error boundary of the whole page: shows that rendering failed and offers a reload. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main
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
      </main>
    );
  }
}
