/**
 * Leaves the page's motion on, as most users have it: for tests of first use, of dialogs that come and go, and of
 * scrolling. All others ask for reduced motion, which the page keeps to; it takes a third of the browser's processor
 * time.
 */
export const WITH_MOTION = { contextOptions: { reducedMotion: "no-preference" } } as const;
