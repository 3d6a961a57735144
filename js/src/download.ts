/** A page, or a Python file, to the reader's disk. */

const LATER_MS = 10_000;

type Ending = "html" | "py" | "svg";

export function download(name: string, text: string, ending: Ending = "html"): void {
  const url = URL.createObjectURL(new Blob([text], { type: ending === "svg" ? "image/svg+xml" : `text/${ending}` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName(name, ending);
  link.click();
  setTimeout(() => { URL.revokeObjectURL(url); }, LATER_MS);
}

/** A name that no file system reads as a path. */
export function fileName(name: string, ending: Ending = "html"): string {
  const safe = name.replace(/[^\p{L}\p{N}_]+/gu, "_").slice(0, 80);
  return `${/[^_]/.test(safe) ? safe : "derivative"}.${ending}`;
}
