/** What an exported page runs. */
import { OfflineHost } from "./offline";
import { View } from "./view";

function stored(): unknown {
  try {
    return JSON.parse(document.getElementById("tnb-state")?.textContent ?? "");
  } catch {
    return { state: "unreadable" };
  }
}

function start(): void {
  const root = document.getElementById("tnb-root");
  if (root !== null) new View(root, new OfflineHost(stored()));
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
