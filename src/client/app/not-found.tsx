import { Link } from "wouter";

export function NotFound() {
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
