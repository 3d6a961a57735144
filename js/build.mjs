// Makes what pip installs: tangent_nb/static/. With --stale: fails where what is committed is not what this makes.
import { build } from "esbuild";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const STATIC = fileURLToPath(new URL("../tangent_nb/static/", import.meta.url));
const COMMON = { absWorkingDir: HERE, bundle: true, minify: true, sourcemap: false, charset: "utf8", target: "es2020",
  legalComments: "none", logLevel: "warning" };
const BUNDLES = [
  { ...COMMON, entryPoints: ["src/widget.ts"], format: "esm", name: "widget.js" },
  { ...COMMON, entryPoints: ["src/quiz_widget.ts"], format: "esm", name: "quiz.js" },
  // Not a part of any notebook: the kernel sends it when a reader first edits.
  { ...COMMON, entryPoints: ["src/editor.ts"], format: "esm", name: "editor.js", most: 380_000 },
  { ...COMMON, entryPoints: ["src/page.ts"], format: "iife", name: "page.js" },
  { ...COMMON, entryPoints: ["src/lab.ts"], format: "iife", name: "lab.js" },
  // The style is lowered for no browser: a nested copy of every rule would be the price.
  { ...COMMON, entryPoints: ["src/widget.css"], target: "esnext", name: "widget.css" },
];

const MOST_BYTES = 140_000;

async function make(folder) {
  for (const { name, most = MOST_BYTES, ...options } of BUNDLES) {
    const outfile = join(folder, name);
    await build({ ...options, outfile });
    const { size } = await stat(outfile);
    if (size > most) throw new Error(`${name} has ${size} bytes, more than ${most}`);
  }
}

async function stale() {
  const folder = await mkdtemp(join(tmpdir(), "tnb-"));
  try {
    await make(folder);
    const read = (path) => readFile(path).catch(() => Buffer.alloc(0));
    const different = [];
    for (const { name } of BUNDLES) {
      const [made, committed] = await Promise.all([read(join(folder, name)), read(join(STATIC, name))]);
      if (!made.equals(committed)) different.push(name);
    }
    return different;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv.includes("--stale")) {
  const different = await stale();
  if (different.length > 0) {
    console.error(`tangent_nb/static is not what js/src makes: ${different.join(", ")}. Run: cd js && npm ci && npm run build`);
    process.exitCode = 1;
  }
} else {
  await make(STATIC);
}
