import { EmptyState } from "../ui/empty-state.tsx";

/** Creates a placeholder tab that shows only its title. */
export function createPlaceholderTab(title: string) {
  return function PlaceholderTab() {
    return <EmptyState title={title} />;
  };
}
