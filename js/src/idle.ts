/** What need not be there in the next frame is done after it, bit by bit. */

const LATEST_MS = 300;                             // also where the page is never idle
const PAUSE_MS = 20;                               // where a browser does not tell when it is

/** Gives what asks for it. more: does a bit, and tells whether there is more. */
export function whenIdle(more: () => boolean): () => void {
  let waiting = false;
  const run = (): void => {
    waiting = false;
    if (more()) start();
  };
  const start = (): void => {
    if (waiting) return;
    waiting = true;
    if (typeof requestIdleCallback === "function") requestIdleCallback(run, { timeout: LATEST_MS });
    else setTimeout(run, PAUSE_MS);
  };
  return start;
}

/** The frame that shows what was just drawn is painted, or does not come: the page may be out of sight. */
export function painted(): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, LATEST_MS);
    if (typeof requestAnimationFrame === "function") requestAnimationFrame(() => { setTimeout(done); });
    else done();
  });
}
