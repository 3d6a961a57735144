// Makes what pip installs: tangent_nb/static/. With --stale: fails where what is committed is not what this makes.
import { build } from "esbuild";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const STATIC = fileURLToPath(new URL("../tangent_nb/static/", import.meta.url));
const COMMON = { absWorkingDir: HERE, bundle: true, minify: true, sourcemap: false, charset: "utf8", target: "es2020",
  legalComments: "none", logLevel: "warning" };
const BUNDLES = [
  { ...COMMON, entryPoints: ["src/widget.ts"], format: "esm", name: "widget.js", most: 155_000 },
  { ...COMMON, entryPoints: ["src/quiz_widget.ts"], format: "esm", name: "quiz.js" },
  // Not a part of any notebook: the kernel sends it when a reader first edits.
  { ...COMMON, entryPoints: ["src/editor.ts"], format: "esm", name: "editor.js", most: 380_000 },
  { ...COMMON, entryPoints: ["src/page.ts"], format: "iife", name: "page.js", most: 155_000 },
  { ...COMMON, entryPoints: ["src/lab.ts"], format: "iife", name: "lab.js", most: 180_000 },
  // The style is lowered for no browser: a nested copy of every rule would be the price.
  { ...COMMON, entryPoints: ["src/widget.css"], target: "esnext", name: "widget.css" },
];

const MOST_BYTES = 150_000;
const LICENSES = "licenses.txt";                   // of what others wrote, and the bundles hold

async function make(folder) {
  const packages = new Set();
  for (const { name, most = MOST_BYTES, ...options } of BUNDLES) {
    const outfile = join(folder, name);
    const { metafile } = await build({ ...options, outfile, metafile: true });
    const { size } = await stat(outfile);
    if (size > most) throw new Error(`${name} has ${size} bytes, more than ${most}`);
    for (const [path, { bytesInOutput }] of Object.entries(metafile.outputs[Object.keys(metafile.outputs)[0]].inputs)) {
      const found = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
      if (found !== null && bytesInOutput > 0) packages.add(found[1]);
    }
  }
  const texts = await Promise.all([...packages].sort().map(license));
  await writeFile(join(folder, LICENSES), `These packages are a part of the bundles beside this file.\n\n${texts.join("\n\n")}`);
}

async function license(name) {
  const folder = join(HERE, "node_modules", name);
  const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${name} has no license beside it`);
  return `---- ${name} ${version} (${license})\n\n${(await readFile(join(folder, file), "utf8")).trim()}\n`;
}

async function stale() {
  const folder = await mkdtemp(join(tmpdir(), "tnb-"));
  try {
    await make(folder);
    const read = (path) => readFile(path).catch(() => Buffer.alloc(0));
    const different = [];
    for (const name of [...BUNDLES.map((one) => one.name), LICENSES]) {
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
