import { EmptyState } from "../ui/empty-state.tsx";

/** Builds a tab that only says what will be here. */
export function createPlaceholderTab(title: string) {
  return function PlaceholderTab() {
    return <EmptyState title={title} />;
  };
}
