/** A page to the reader's disk. */

const LATER_MS = 10_000;

export function download(name: string, html: string): void {
  const url = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName(name);
  link.click();
  setTimeout(() => { URL.revokeObjectURL(url); }, LATER_MS);
}

/** A name that no file system reads as a path. */
export function fileName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}_]+/gu, "_").slice(0, 80);
  return `${/[^_]/.test(safe) ? safe : "derivative"}.html`;
}
